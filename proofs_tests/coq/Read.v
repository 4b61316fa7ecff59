(* Words of a line of a file of certificates -> a row. Nobody need believe "understood": what it makes of the words is printed
   back, and "row_of_words" takes it only if the same words result (is_written). *)
From Coq Require Import ZArith List String Ascii Bool.
Require Import Meaning Print Results.
Import ListNotations.
Open Scope string_scope.

(* -- numbers -- *)

Definition digit (c : ascii) : option N :=
  (if c =? "0" then Some 0%N else if c =? "1" then Some 1%N else if c =? "2" then Some 2%N else if c =? "3" then Some 3%N
  else if c =? "4" then Some 4%N else if c =? "5" then Some 5%N else if c =? "6" then Some 6%N else if c =? "7" then Some 7%N
  else if c =? "8" then Some 8%N else if c =? "9" then Some 9%N else None)%char.

(* The digits that begin the word, and what is behind them. *)
Fixpoint digits (most : nat) (n : N) (word : string) : result (N * string) :=
  match word with
  | EmptyString => Ok (n, word)
  | String c rest =>
      match digit c, most with
      | None, _ => Ok (n, word)
      | Some _, O => Error "a number does not fit 1024 bits"
      | Some d, S most => digits most (10 * n + d)%N rest
      end
  end.
Definition unsigned (word : string) : result (N * string) := digits 320 0%N word.
Definition signed (word : string) : result (Z * string) :=
  match word with
  | String c rest =>
      if (c =? "-")%char then let* (n, rest) := unsigned rest in Ok (- Z.of_N n, rest)%Z
      else let* (n, rest) := unsigned word in Ok (Z.of_N n, rest)
  | EmptyString => Error "a number is missing"
  end.
Definition whole {A} (read : result (A * string)) : result A :=
  let* (x, rest) := read in match rest with EmptyString => Ok x | _ => Error "a number is not a number" end.

Definition n_of (word : string) : result N := whole (unsigned word).
Definition z_of (word : string) : result Z := whole (signed word).
Definition id_of (word : string) : result id :=
  let* n := n_of word in match n with N0 => Error "a line is not there" | Npos p => Ok p end.

Definition begins_with (c : ascii) (word : string) : bool :=
  match word with String d _ => (c =? d)%char | EmptyString => false end.

(* of each word, in order, without taking room on the stack for it *)
Fixpoint each {A} (read : string -> result A) (words : list string) (done : list A) : result (list A) :=
  match words with
  | [] => Ok (rev_append done [])
  | word :: words => match read word with Ok x => each read words (x :: done) | Error why => Error why end
  end.

(* -- polynomials -- *)

(* Is that the end of a polynomial's word, or of the polynomial? *)
Definition closes (word : string) : result bool :=
  if word =? "" then Ok false else if word =? ")" then Ok true else Error "a polynomial is not well formed".

(* "*9*7", or "*9*7)": the unknowns, and whether the polynomial ends *)
Fixpoint unknowns (most : nat) (word : string) (done : list id) : result (list id * bool) :=
  match word, most with
  | String c rest, S most =>
      if (c =? "*")%char then
        let* (n, rest) := unsigned rest in
        match n with N0 => Error "not an unknown" | Npos u => unknowns most rest (u :: done) end
      else let* last := closes word in Ok (rev_append done [], last)
  | _, _ => if begins_with "*" word then Error "a degree is above 16" else let* last := closes word in Ok (rev_append done [], last)
  end.

Fixpoint terms_until (words : list string) (done : list (list id * Z)) : result (list (list id * Z) * list string) :=
  match words with
  | [] => Error "a polynomial is not well formed"
  | word :: words =>
      match (let* (k, rest) := signed word in let* (m, last) := unknowns 16 rest [] in Ok (m, k, last)) with
      | Ok (m, k, true) => Ok (rev_append ((m, k) :: done) [], words)
      | Ok (m, k, false) => terms_until words ((m, k) :: done)
      | Error why => Error why
      end
  end.

(* "(1", "-1*9*7", "2*5)" begin the words: the polynomial, and the words behind it *)
Definition polynomial_of (words : list string) : result (polynomial * list string) :=
  match words with
  | String c first :: words =>
      let* _ := check (c =? "(")%char "a polynomial is missing" in
      let* (c, rest) := signed first in
      let* last := closes rest in
      if last then Ok (Polynomial c [], words)
      else let* (ts, words) := terms_until words [] in Ok (Polynomial c ts, words)
  | _ => Error "a polynomial is missing"
  end.

(* Summands: each is a word or more, so there are no more of them than words in "most". *)
Fixpoint parts_of (most words : list string) (done : list (polynomial * N)) : result (list (polynomial * N)) :=
  match words, most with
  | [], _ => Ok (rev_append done [])
  | first :: rest, _ :: most =>
      let multiplier :=
        if begins_with "(" first then polynomial_of words else let* k := z_of first in Ok (Polynomial k [], rest) in
      match multiplier with
      | Ok (p, h :: words) =>
          match n_of h with Ok h => parts_of most words ((p, h) :: done) | Error why => Error why end
      | Ok (_, []) => Error "a word is missing"
      | Error why => Error why
      end
  | _, [] => Error "a word is missing"
  end.

(* -- steps -- *)

Definition one {A} (make : A -> step) (a : result A) : result step := let* a := a in Ok (make a).
Definition two {A B} (make : A -> B -> step) (a : result A) (b : result B) : result step :=
  let* a := a in let* b := b in Ok (make a b).
Definition argument (word : string) : result (option N) := if word =? "=" then Ok None else let* h := n_of word in Ok (Some h).
Definition alone (make : polynomial -> step) (words : list string) : result step :=
  let* (p, rest) := polynomial_of words in
  match rest with [] => Ok (make p) | _ => Error "something follows where the step should end" end.

Definition step_of (letter : string) (words : list string) : result step :=
  let is := String.eqb letter in
  if is "l" then let* parts := parts_of words words [] in Ok (Sl parts)
  else if is "s" then alone Ss words
  else if is "k" then alone Sk words
  else
    match words with
    | [] => if is "g" then Ok Sg else Error "not a step"
    | [a] =>
        if is "u" then one Su (id_of a) else if is "o" then one So (n_of a) else if is "n" then one Sn (id_of a)
        else if is "." then one Sdot (n_of a) else Error "not a step"
    | [a; b] =>
        if is "a" then two Sa (n_of a) (n_of b) else if is "d" then two Sd (id_of a) (n_of b)
        else if is "e" then two (fun u v => Se u v []) (id_of a) (id_of b)
        else if is "m" then two Sm (n_of a) (n_of b) else if is "q" then two Sq (n_of a) (n_of b)
        else if is "x" then two Sx (n_of a) (n_of b) else Error "not a step"
    | [u; v; h] => if is "e" then let* h := argument h in two (fun u v => Se u v [h]) (id_of u) (id_of v) else Error "not a step"
    | [a; b; c; d] =>
        if is "v" then let* which := n_of a in let* q := id_of b in two (Sv which q) (id_of c) (n_of d)
        else if is "e" then
          let* h := argument c in let* i := argument d in two (fun u v => Se u v [h; i]) (id_of a) (id_of b)
        else Error "not a step"
    | [which; u; v; h; s; n] =>
        if is "f" then
          let* which := n_of which in let* u := id_of u in let* v := id_of v in
          let* h := argument h in let* s := argument s in let* n := argument n in Ok (Sf which u v h s n)
        else Error "not a step"
    | [which; u; e; f; h; k; l; m] =>
        if is "r" then
          let* which := n_of which in let* u := id_of u in let* e := z_of e in let* f := z_of f in
          let* h := argument h in let* k := argument k in let* l := argument l in let* m := argument m in
          Ok (Sr which u e f h k l m)
        else Error "not a step"
    | _ => Error "not a step"
    end.

(* -- lines -- *)

Fixpoint named {A} (name : string) (rows : list (string * A)) : option A :=
  match rows with [] => None | (n, x) :: rows => if n =? name then Some x else named name rows end.

Definition by_types : list (string * value_type) :=
  map (fun t => (of_type t, t)) [Tint; Tbool; Tu8; Tu16; Tu32; Tu64; Ti8; Ti16; Ti32; Ti64; Tf32; Tf64].
Definition type_of (word : string) : result value_type :=
  match named word by_types with Some t => Ok t | None => Error "not a type" end.

Definition all_types : list value_type := map snd by_types.
Definition by_operations : list (string * operation) :=
  map (fun o => (of_operation o, o))
    (filter is_operation
       (flat_map (fun t => map (fun o => Operation o t)
          ([Fadd; Fsub; Fmul; Fdiv; Fneg; Ffloor; Fceil; Fround; Ftrunc; Fmin; Fmax] ++ map Fof all_types)) all_types)).
Definition operation_of (word : string) : result operation :=
  match named word by_operations with Some o => Ok o | None => Error "not an operator of floats" end.

Definition by_names : list (string * (id -> id -> id -> line)) := [("select", Select); ("cond", Cond)].
Definition by_two_names : list (string * (id -> id -> line)) :=
  [("+", Plus); ("-", Minus); ("*", Times); ("/", Div); ("%", Mod); ("min", Min); ("max", Max);
   ("==", Compare EQ); ("!=", Compare NE); ("<", Compare LT); ("<=", Compare LE); (">", Compare GT); (">=", Compare GE);
   ("and", And); ("or", Or); ("iff", Iff)].
Definition by_one_name : list (string * (id -> line)) := [("neg", Negate); ("abs", Abs); ("of", Of); ("not", Not)].
Definition by_no_name : list (string * line) := [("true", Yes); ("false", No); ("atom", Atom)].

(* The kind's word, and those behind it: the line, and the words that are left. *)
Definition line_of (kind : string) (words : list string) : result (line * list string) :=
  let is := String.eqb kind in
  match named kind by_two_names, words with
  | Some make, a :: b :: rest => let* a := id_of a in let* b := id_of b in Ok (make a b, rest)
  | Some _, _ => Error "a word is missing"
  | None, _ =>
  match named kind by_one_name, words with
  | Some make, a :: rest => let* a := id_of a in Ok (make a, rest)
  | Some _, _ => Error "a word is missing"
  | None, _ =>
  match named kind by_names, words with
  | Some make, f :: a :: b :: rest => let* f := id_of f in let* a := id_of a in let* b := id_of b in Ok (make f a b, rest)
  | Some _, _ => Error "a word is missing"
  | None, _ =>
  match named kind by_no_name, words with
  | Some l, rest => Ok (l, rest)
  | None, [] => Error "a word is missing"
  | None, a :: rest =>
      if is "int" then let* c := z_of a in Ok (Int c, rest)
      else if is "unknown" then let* t := type_of a in Ok (Unknown t, rest)
      else if is "apply" then
        let* o := operation_of a in
        match rest, takes_two o with
        | a :: b :: rest, true => let* a := id_of a in let* b := id_of b in Ok (Apply o a (Some b), rest)
        | a :: rest, false => let* a := id_of a in Ok (Apply o a None, rest)
        | _, _ => Error "a word is missing"
        end
      else if is "applied" then
        let* o := operation_of a in
        let* (p, rest) := polynomial_of rest in
        if takes_two o then let* (m, rest) := polynomial_of rest in Ok (Applied o p (Some m), rest) else Ok (Applied o p None, rest)
      else if is "negative" then let* (p, rest) := polynomial_of words in Ok (Negative p, rest)
      else if is "choice" then let* f := id_of a in let* (p, rest) := polynomial_of rest in Ok (Choice f p, rest)
      else if is "ratio" then
        let* (p, rest) := polynomial_of words in let* (m, rest) := polynomial_of rest in Ok (Ratio p m, rest)
      else if is "rest" then
        let* (p, rest) := polynomial_of words in let* (m, rest) := polynomial_of rest in Ok (Rest p m, rest)
      else if is "quotient" then
        let* (p, rest) := polynomial_of words in
        match rest with d :: rest => let* d := z_of d in Ok (Quotient p d, rest) | [] => Error "a word is missing" end
      else
        match rest with
        | [] => Error "a word is missing"
        | b :: rest =>
            if is "wrap" then let* t := type_of a in let* b := id_of b in Ok (Wrap t b, rest)
            else if is "mask" then let* a := id_of a in let* m := z_of b in Ok (Mask a m, rest)
            else Error "not a kind of line"
        end
  end end end end.

(* -- rows -- *)

(* 64 digits of a SHA-256, or "-" where there may be none *)
Fixpoint hex_digits (most : nat) (word : string) : bool :=
  match word, most with
  | EmptyString, O => true
  | String c rest, S most =>
      if (match digit c with Some _ => true | None => (c =? "a")%char || (c =? "b")%char || (c =? "c")%char || (c =? "d")%char ||
                                                      (c =? "e")%char || (c =? "f")%char end)%bool
      then hex_digits most rest else false
  | _, _ => false
  end.
Definition is_hash (may_be_absent : bool) (word : string) : bool :=
  if (if may_be_absent then word =? "-" else false) then true else hex_digits 64 word.

Definition head_of (make : string -> string -> row) (words : list string) : result row :=
  match words with name :: rule :: _ => Ok (make name rule) | _ => Error "a word is missing" end.
Definition last_word {A} (words : list string) (read : string -> result A) (make : A -> row) : result row :=
  match words with
  | [word] => let* x := read word in Ok (make x)
  | [] => Error "a word is missing"
  | _ => Error "something follows where the line should end"
  end.
Definition no_word (words : list string) (r : row) : result row :=
  match words with [] => Ok r | _ => Error "something follows where the line should end" end.
Definition begins_with_digit (word : string) : bool :=
  match word with String c _ => match digit c with Some _ => true | None => false end | EmptyString => false end.

Definition understood (words : list string) : result row :=
  match words with
  | [] => Error "a word is missing"
  | first :: rest =>
      let is := String.eqb first in
      if begins_with_digit first then
        let* n := id_of first in
        match rest with
        | [] => Error "a word is missing"
        | kind :: words =>
            let* (l, rest) := line_of kind words in
            match l, rest with
            | Unknown _, _ | Atom, _ => Ok (Line n l None) (* what follows is a comment, be it "= 5" *)
            | _, [sign; same] => if sign =? "=" then let* same := id_of same in Ok (Line n l (Some same)) else Ok (Line n l None)
            | _, _ => Ok (Line n l None)
            end
        end
      else if is "program" then
        match rest with
        | name :: count :: target :: algorithm :: schedule :: _ :: _ =>
            let* count := n_of count in
            let* _ := check (is_hash false target && is_hash true algorithm && is_hash true schedule) "not a hash" in
            Ok (Program name count target algorithm schedule)
        | _ => Error "a word is missing"
        end
      else if is "certificate" then head_of Certificate rest
      else if is "open" then head_of Open rest
      else if is "facts" then let* fs := each id_of rest [] in Ok (Facts fs)
      else if is "goal" then last_word rest id_of Goal
      else if is "dead" then no_word rest Dead
      else if is "qed" then no_word rest Qed_
      else if is "end" then last_word rest n_of End
      else let* s := step_of first rest in Ok (Step s)
  end.

(* -- what is understood is held against what was written -- *)

Fixpoint same_words (printed words : list string) (comment : bool) : bool :=
  match printed, words with
  | p :: printed, w :: words => if p =? w then same_words printed words comment else false
  | [], [] => true
  | [], _ :: _ => comment
  | _ :: _, [] => false
  end.

Definition row_of_words (words : list string) : result row :=
  let* r := understood words in
  let* _ := check (same_words (words_of_row r) words (has_comment r)) "something follows where it should end, or not written so" in
  Ok r.

Lemma row_of_written words r : row_of_words words = Ok r -> is_written words r.
Proof.
  unfold row_of_words, is_written. destruct (understood words) as [x|]; [|discriminate]. unfold check.
  destruct (same_words _ _ _) eqn:same; [|discriminate]. intros [= <-].
  generalize dependent (has_comment x). generalize dependent (words_of_row x). clear x.
  intros printed. revert words. induction printed as [|p printed IH]; intros [|w words] comment; simpl; intros e; try discriminate.
  - exists []. easy.
  - exists (w :: words). split; [easy|congruence].
  - destruct (String.eqb_spec p w) as [->|]; [|discriminate]. destruct (IH _ _ e) as (rest & -> & none). now exists rest.
Qed.
