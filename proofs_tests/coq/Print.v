(* How rows are written: the words of a line of the file. Read.v reads a line as it likes; what it has read is printed
   back by this, and the words must be those of the line. So nobody need believe what reads. *)
From Coq Require Import ZArith List String DecimalString.
Require Import Meaning.
Import ListNotations.
Open Scope string_scope.

Definition of_z (z : Z) : string := NilZero.string_of_int (Z.to_int z).
Definition of_id (n : id) : string := NilZero.string_of_uint (Pos.to_uint n).
Definition of_n (n : N) : string := NilZero.string_of_uint (N.to_uint n).

Fixpoint factors (m : list id) : string := match m with [] => "" | u :: m => "*" ++ of_id u ++ factors m end.
Definition of_term (t : list id * Z) : string := of_z (snd t) ++ factors (fst t).
(* "(3", "-1*9*7", "2*5)", and "rest" behind it *)
Definition of_polynomial (p : polynomial) (rest : list string) : list string :=
  match rev_append (terms p) [] with
  | [] => ("(" ++ of_z (constant p) ++ ")") :: rest
  | last :: others =>
      ("(" ++ of_z (constant p)) :: fold_left (fun rest t => of_term t :: rest) others ((of_term last ++ ")") :: rest)
  end.

Definition of_type (t : value_type) : string :=
  match t with
  | Tint => "int" | Tbool => "bool" | Tu8 => "u8" | Tu16 => "u16" | Tu32 => "u32" | Tu64 => "u64"
  | Ti8 => "i8" | Ti16 => "i16" | Ti32 => "i32" | Ti64 => "i64" | Tf32 => "f32" | Tf64 => "f64"
  end.
Definition of_operation (o : operation) : string :=
  of_type (gives o) ++ "." ++
  match does o with
  | Fadd => "add" | Fsub => "sub" | Fmul => "mul" | Fdiv => "div" | Fneg => "neg" | Ffloor => "floor" | Fceil => "ceil"
  | Fround => "round" | Ftrunc => "trunc" | Fmin => "min" | Fmax => "max" | Fof t => "of_" ++ of_type t
  end.
Definition of_sign (s : comparison_sign) : string :=
  match s with EQ => "==" | NE => "!=" | LT => "<" | LE => "<=" | GT => ">" | GE => ">=" end.

Definition of_second (b : option id) (rest : list string) : list string :=
  match b with None => rest | Some b => of_id b :: rest end.
Definition of_second_polynomial (p : option polynomial) (rest : list string) : list string :=
  match p with None => rest | Some p => of_polynomial p rest end.

Definition words_of_line (l : line) (rest : list string) : list string :=
  match l with
  | Int c => "int" :: of_z c :: rest
  | Unknown t => "unknown" :: of_type t :: rest
  | Plus a b => "+" :: of_id a :: of_id b :: rest
  | Minus a b => "-" :: of_id a :: of_id b :: rest
  | Times a b => "*" :: of_id a :: of_id b :: rest
  | Negate a => "neg" :: of_id a :: rest
  | Div a b => "/" :: of_id a :: of_id b :: rest
  | Mod a b => "%" :: of_id a :: of_id b :: rest
  | Min a b => "min" :: of_id a :: of_id b :: rest
  | Max a b => "max" :: of_id a :: of_id b :: rest
  | Abs a => "abs" :: of_id a :: rest
  | Select f a b => "select" :: of_id f :: of_id a :: of_id b :: rest
  | Of f => "of" :: of_id f :: rest
  | Wrap t a => "wrap" :: of_type t :: of_id a :: rest
  | Mask a m => "mask" :: of_id a :: of_z m :: rest
  | Apply o a b => "apply" :: of_operation o :: of_id a :: of_second b rest
  | Quotient p d => "quotient" :: of_polynomial p (of_z d :: rest)
  | Negative p => "negative" :: of_polynomial p rest
  | Choice f p => "choice" :: of_id f :: of_polynomial p rest
  | Ratio p m => "ratio" :: of_polynomial p (of_polynomial m rest)
  | Rest p m => "rest" :: of_polynomial p (of_polynomial m rest)
  | Applied o p m => "applied" :: of_operation o :: of_polynomial p (of_second_polynomial m rest)
  | Yes => "true" :: rest
  | No => "false" :: rest
  | Compare s a b => of_sign s :: of_id a :: of_id b :: rest
  | And f g => "and" :: of_id f :: of_id g :: rest
  | Or f g => "or" :: of_id f :: of_id g :: rest
  | Not f => "not" :: of_id f :: rest
  | Iff f g => "iff" :: of_id f :: of_id g :: rest
  | Cond f g h => "cond" :: of_id f :: of_id g :: of_id h :: rest
  | Atom => "atom" :: rest
  end.

(* "=" stands for nothing *)
Definition of_argument (h : option N) : string := match h with None => "=" | Some h => of_n h end.

Fixpoint words_of_parts (parts : list (polynomial * N)) (rest : list string) : list string := (* of the reverse *)
  match parts with
  | [] => rest
  | (p, h) :: parts =>
      words_of_parts parts
        (match terms p with
         | [] => of_z (constant p) :: of_n h :: rest
         | _ => of_polynomial p (of_n h :: rest)
         end)
  end.

Definition words_of_step (s : step) : list string :=
  match s with
  | Su n => ["u"; of_id n]
  | Sg => ["g"]
  | Sa h part => ["a"; of_n h; of_n part]
  | Sd u which => ["d"; of_id u; of_n which]
  | Sv which q r h => ["v"; of_n which; of_id q; of_id r; of_n h]
  | Se u v hs => "e" :: of_id u :: of_id v :: map of_argument hs
  | Sf which u v h s n => ["f"; of_n which; of_id u; of_id v; of_argument h; of_argument s; of_argument n]
  | Sr which u e f h k l m => ["r"; of_n which; of_id u; of_z e; of_z f; of_argument h; of_argument k; of_argument l; of_argument m]
  | Sl parts => "l" :: words_of_parts (rev_append parts []) []
  | Sm h i => ["m"; of_n h; of_n i]
  | Ss p => "s" :: of_polynomial p []
  | Sq h i => ["q"; of_n h; of_n i]
  | Sk p => "k" :: of_polynomial p []
  | So h => ["o"; of_n h]
  | Sn u => ["n"; of_id u]
  | Sdot h => ["."; of_n h]
  | Sx h i => ["x"; of_n h; of_n i]
  end.

Definition words_of_row (r : row) : list string :=
  match r with
  | Program name obligations target algorithm schedule =>
      ["program"; name; of_n obligations; target; algorithm; schedule]
  | Line n l None => of_id n :: words_of_line l []
  | Line n l (Some same) => of_id n :: words_of_line l ["="; of_id same]
  | Certificate name rule => ["certificate"; name; rule]
  | Facts ns => "facts" :: fold_left (fun rest n => of_id n :: rest) (rev_append ns []) []
  | Goal g => ["goal"; of_id g]
  | Dead => ["dead"]
  | Step s => words_of_step s
  | Qed_ => ["qed"]
  | Open name rule => ["open"; name; rule]
  | End n => ["end"; of_n n]
  end.

(* Does a comment follow? The version of a program's author, the name of an unknown, the sentence of a certificate. *)
Definition has_comment (r : row) : bool :=
  match r with
  | Program _ _ _ _ _ | Line _ (Unknown _) None | Line _ Atom None | Certificate _ _ | Open _ _ => true
  | _ => false
  end.

(* These words are those of the row, but for a comment behind them. *)
Definition is_written (words : list string) (r : row) : Prop :=
  exists comment, words = (words_of_row r ++ comment)%list /\ (has_comment r = false -> comment = []).

(* A file, by the words of its lines, is these rows. A line without words (empty, or a comment) is none. *)
Fixpoint is_file (lines : list (list string)) (rows : list row) : Prop :=
  match lines, rows with
  | [] :: lines, _ => is_file lines rows
  | words :: lines, r :: rows => is_written words r /\ is_file lines rows
  | [], [] => True
  | _, _ => False
  end.
