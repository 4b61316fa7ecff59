(* What a file of certificates says (docs/certificates.md). Whoever wants to know what "accepted" means reads this file and
   the theorem in Sound.v; Print.v says how each of these things is written. Nothing here mentions the checker.

   A file is a list of rows. Its lines are terms and formulas over unknowns; what they are worth follows from the values of
   the unknowns. A certificate claims: wherever all of its facts hold, so does its goal. *)
From Coq Require Import ZArith List String.
Import ListNotations.
Open Scope Z_scope.

(* -- syntax -- *)

Definition id := positive. (* the number of a line, from 1 *)

(* "(3 -1*9*7 2*5)": a constant and terms; a term is a product of unknowns, named by their lines, and its coefficient. *)
Record polynomial := Polynomial { constant : Z; terms : list (list id * Z) }.

Inductive value_type := Tint | Tbool | Tu8 | Tu16 | Tu32 | Tu64 | Ti8 | Ti16 | Ti32 | Ti64.
Inductive comparison_sign := EQ | NE | LT | LE | GT | GE.

Inductive line :=
| Int (c : Z) | Unknown (t : value_type)
| Plus (a b : id) | Minus (a b : id) | Times (a b : id) | Negate (a : id)
| Div (a b : id) | Mod (a b : id)
| Min (a b : id) | Max (a b : id) | Abs (a : id)
| Select (f a b : id) | Of (f : id)
| Wrap (t : value_type) (a : id) | Mask (a : id) (m : Z)
(* unknowns that only proofs mention: no other line may *)
| Quotient (p : polynomial) (d : Z) | Negative (p : polynomial) | Choice (f : id) (p : polynomial)
| Ratio (p m : polynomial) | Rest (p m : polynomial)
(* formulas *)
| Yes | No | Compare (sign : comparison_sign) (a b : id) | And (f g : id) | Or (f g : id) | Not (f : id)
| Iff (f g : id) | Cond (f g h : id) | Atom.

(* By the letters of docs/certificates.md; hypotheses are numbered from 0. *)
Inductive step :=
| Su (n : id) | Sg | Sa (h part : N) | Sd (u : id) (which : N) | Sv (which : N) (q r : id) (h : N)
| Se (u v : id) (hs : list (option N)) | Sl (parts : list (polynomial * N)) | Sm (h i : N) | Ss (p : polynomial)
| Sq (h i : N) | Sk (p : polynomial) | So (h : N) | Sn (u : id) | Sdot (h : N) | Sx (h i : N).

Inductive row :=
| Program (name : string) (obligations : N) (target algorithm schedule : string) (* what the following is about *)
| Line (n : id) (l : line) (same : option id) (* "= same" at its end: the unknown is not a new one *)
| Certificate (name : string) (rule : string)   (* "NAME/NUMBER" or "NAME/NUMBER.PART" *)
| Facts (fs : list id)
| Goal (g : id)
| Dead                                        (* the facts contradict each other *)
| Step (s : step)
| Qed_
| Open (name : string) (rule : string)          (* an obligation without a certificate *)
| End (count : N).

(* -- what lines are worth -- *)

(* Values of the unknowns, truth of the atoms, and what dividing by zero gives: anything. *)
Record environment := {
  free : id -> Z;
  opaque : id -> bool;
  quotient_by_zero : Z -> Z;
  remainder_by_zero : Z -> Z;
}.

(* Euclidean: 0 <= remainder < |b|. *)
Definition quotient (env : environment) (a b : Z) : Z :=
  if b =? 0 then quotient_by_zero env a else Z.sgn b * (a / Z.abs b).
Definition remainder (env : environment) (a b : Z) : Z :=
  if b =? 0 then remainder_by_zero env a else a mod Z.abs b.

Definition range (t : value_type) : option (Z * Z) :=
  match t with
  | Tint => None
  | Tbool => Some (0, 1)
  | Tu8 => Some (0, 2 ^ 8 - 1) | Tu16 => Some (0, 2 ^ 16 - 1) | Tu32 => Some (0, 2 ^ 32 - 1) | Tu64 => Some (0, 2 ^ 64 - 1)
  | Ti8 => Some (- 2 ^ 7, 2 ^ 7 - 1) | Ti16 => Some (- 2 ^ 15, 2 ^ 15 - 1)
  | Ti32 => Some (- 2 ^ 31, 2 ^ 31 - 1) | Ti64 => Some (- 2 ^ 63, 2 ^ 63 - 1)
  end.

(* The value of the type that is congruent to a. Of every value of the type it is that value: so an unknown of the type,
   "wrap t" of any integer, is any value of the type. *)
Definition wrap (t : value_type) (a : Z) : Z :=
  match range t with None => a | Some (low, high) => low + (a - low) mod (high - low + 1) end.

Definition compare (sign : comparison_sign) (a b : Z) : bool :=
  match sign with
  | EQ => a =? b | NE => negb (a =? b) | LT => a <? b | LE => a <=? b | GT => b <? a | GE => b <=? a
  end.

Inductive value := Number (z : Z) | Truth (b : bool) | Nothing.
Definition number (v : id -> value) (n : id) : Z := match v n with Number z => z | _ => 0 end.
Definition truth (v : id -> value) (n : id) : bool := match v n with Truth b => b | _ => false end.

(* Line n, where "v" has the values of the lines before it. *)
Definition value_of (env : environment) (v : id -> value) (n : id) (l : line) : value :=
  let number := number v in
  let truth := truth v in
  match l with
  | Int c => Number c
  | Unknown t => Number (wrap t (free env n))
  | Plus a b => Number (number a + number b)
  | Minus a b => Number (number a - number b)
  | Times a b => Number (number a * number b)
  | Negate a => Number (- number a)
  | Div a b => Number (quotient env (number a) (number b))
  | Mod a b => Number (remainder env (number a) (number b))
  | Min a b => Number (Z.min (number a) (number b))
  | Max a b => Number (Z.max (number a) (number b))
  | Abs a => Number (Z.abs (number a))
  | Select f a b => Number (if truth f then number a else number b)
  | Of f => Number (Z.b2z (truth f))
  | Wrap t a => Number (wrap t (number a))
  | Mask a m => Number (Z.land (number a) m)
  | Quotient _ _ | Negative _ | Choice _ _ | Ratio _ _ | Rest _ _ => Nothing
  | Yes => Truth true
  | No => Truth false
  | Compare sign a b => Truth (compare sign (number a) (number b))
  | And f g => Truth (truth f && truth g)
  | Or f g => Truth (truth f || truth g)
  | Not f => Truth (negb (truth f))
  | Iff f g => Truth (Bool.eqb (truth f) (truth g))
  | Cond f g h => Truth (if truth f then truth g else truth h)
  | Atom => Truth (opaque env n)
  end.

Definition put (v : id -> value) (n : id) (x : value) : id -> value := fun k => if Pos.eqb k n then x else v k.

Fixpoint meaning_from (env : environment) (v : id -> value) (rows : list row) : id -> value :=
  match rows with
  | [] => v
  | Line n l _ :: rest => meaning_from env (put v n (value_of env v n l)) rest
  | _ :: rest => meaning_from env v rest
  end.
Definition meaning (env : environment) (rows : list row) : id -> value := meaning_from env (fun _ => Nothing) rows.

(* -- what a file claims: of each certificate its facts and its goal -- *)

Record claim := Claim { facts : list id; goal : option id; dead : bool }.

(* "open" is the claim of the certificate whose rows are being read. *)
Fixpoint claims_from (open : claim) (rows : list row) : list claim :=
  match rows with
  | [] => []
  | Certificate _ _ :: rest => claims_from (Claim [] None false) rest
  | Facts fs :: rest => claims_from (Claim fs (goal open) (dead open)) rest
  | Goal g :: rest => claims_from (Claim (facts open) (Some g) (dead open)) rest
  | Dead :: rest => claims_from (Claim (facts open) (goal open) true) rest
  | Qed_ :: rest => open :: claims_from open rest
  | _ :: rest => claims_from open rest
  end.
Definition claims (rows : list row) : list claim := claims_from (Claim [] None false) rows.

(* What an accepted certificate of the file "rows" has proved: where all facts hold the goal holds, whatever the values of the
   unknowns; and of one that is dead that nowhere do all facts hold. *)
Definition follows (rows : list row) (c : claim) : Prop :=
  forall env : environment, let v := meaning env rows in
  (forall f, In f (facts c) -> truth v f = true) ->
  dead c = false /\ exists g, goal c = Some g /\ truth v g = true.
