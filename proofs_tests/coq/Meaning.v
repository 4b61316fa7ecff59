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

Inductive value_type := Tint | Tbool | Tu8 | Tu16 | Tu32 | Tu64 | Ti8 | Ti16 | Ti32 | Ti64 | Tf32 | Tf64.

(* Operators of floats: what they do, and the type of what they give. Of _ t converts from t ("int": an integer of any type). *)
Inductive float_operator :=
| Fadd | Fsub | Fmul | Fdiv | Fneg | Ffloor | Fceil | Fround | Ftrunc | Fmin | Fmax | Fof (from : value_type).
Record operation := Operation { does : float_operator; gives : value_type }.
Inductive comparison_sign := EQ | NE | LT | LE | GT | GE.

Inductive line :=
| Int (c : Z) | Unknown (t : value_type)
| Plus (a b : id) | Minus (a b : id) | Times (a b : id) | Negate (a : id)
| Div (a b : id) | Mod (a b : id)
| Min (a b : id) | Max (a b : id) | Abs (a : id)
| Select (f a b : id) | Of (f : id)
| Wrap (t : value_type) (a : id) | Mask (a : id) (m : Z)
| Apply (o : operation) (a : id) (b : option id)
(* unknowns that only proofs mention: no other line may *)
| Quotient (p : polynomial) (d : Z) | Negative (p : polynomial) | Choice (f : id) (p : polynomial)
| Ratio (p m : polynomial) | Rest (p m : polynomial)
| Applied (o : operation) (p : polynomial) (m : option polynomial)
(* formulas *)
| Yes | No | Compare (sign : comparison_sign) (a b : id) | And (f g : id) | Or (f g : id) | Not (f : id)
| Iff (f g : id) | Cond (f g h : id) | Atom.

(* By the letters of docs/certificates.md; hypotheses are numbered from 0. *)
Inductive step :=
| Su (n : id) | Sg | Sa (h part : N) | Sd (u : id) (which : N) | Sv (which : N) (q r : id) (h : N)
| Se (u v : id) (hs : list (option N))
| Sf (which : N) (u v : id) (h s n : option N) | Sr (which : N) (u : id) (e f : Z) (h k l m : option N)
| Sl (parts : list (polynomial * N)) | Sm (h i : N) | Ss (p : polynomial)
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

(* Values of the unknowns, truth of the atoms, and what dividing by zero gives: anything. What operators of floats give: of
   arguments, the second 0 where there is one; anything that is "lawful", below. *)
Record environment := {
  free : id -> Z;
  opaque : id -> bool;
  quotient_by_zero : Z -> Z;
  remainder_by_zero : Z -> Z;
  floats : operation -> Z -> Z -> Z;
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
  | Tf32 => Some (- (2 ^ 31 - 2 ^ 23) - 1, 2 ^ 31 - 2 ^ 23 + 1) (* ranks, see below: from -infinity's to that of a NaN *)
  | Tf64 => Some (- (2 ^ 63 - 2 ^ 52) - 1, 2 ^ 63 - 2 ^ 52 + 1)
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
  | Apply o a b => Number (floats env o (number a) (match b with None => 0 | Some b => number b end))
  | Quotient _ _ | Negative _ | Choice _ _ | Ratio _ _ | Rest _ _ | Applied _ _ _ => Nothing
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

(* -- what is assumed of operators of floats --

   A float is worth its rank: its bits if its sign is +, -1 - (its bits without the sign) if it is -, one more than infinity's
   if it is a NaN. So ranks are ordered as floats are, -0 (-1) just below +0 (0). What follows is assumed, and not proved here, of
   IEEE's operations, rounded to nearest, and of conversions as semantics/rules/2_values.md has them, which saturate and make
   a NaN 0; semantics/value/monotone.def says it as well, and is tried on values. Of integers beyond 64 bits, which are no
   arguments, any extension will do that is so: they may count as what is nearest. *)

Definition is_float (t : value_type) : bool := match t with Tf32 | Tf64 => true | _ => false end.
Definition bias (t : value_type) : Z := match t with Tf32 => 127 | _ => 1023 end.
Definition fraction (t : value_type) : Z := match t with Tf32 => 23 | _ => 52 end.
Definition top (t : value_type) : Z := bias t + 1.   (* as if infinity were 2 ^ top *)
Definition power (t : value_type) (e : Z) : Z := (e + bias t) * 2 ^ fraction t. (* the rank of 2 ^ e *)
Definition infinity (t : value_type) : Z := power t (top t).

Definition takes (o : operation) : value_type := match does o with Fof from => from | _ => gives o end.
Definition takes_two (o : operation) : bool :=
  match does o with Fadd | Fsub | Fmul | Fdiv | Fmin | Fmax => true | _ => false end.
(* There is such an operator: of floats; from an integer to a float, from a float to whatever is no bool. *)
Definition is_operation (o : operation) : bool :=
  match does o, gives o with
  | Fof Tint, Tf32 | Fof Tint, Tf64 => true
  | Fof (Tf32 | Tf64), t => match t with Tbool => false | _ => true end
  | Fof _, _ => false
  | _, t => is_float t
  end.

(* With a growing argument (the second one, if "second") the result grows, or falls, or that is as the other's sign is. *)
Inductive growth := Unknown_growth | Grows | Falls | By_sign.
Definition growth_of (o : operation) (second : bool) : growth :=
  match does o, second with
  | Fadd, _ | Fsub, false => Grows
  | Fsub, true => Falls
  | Fmul, _ | Fdiv, false => By_sign
  | Fneg, false => Falls
  | Fdiv, true | Fmin, true | Fmax, true => Unknown_growth
  | _, false => Grows
  | _, true => Unknown_growth
  end.
(* Where a NaN spoils it: nowhere; the lesser result must be none; or the greater argument. *)
Inductive spoiled := Never | By_result | By_argument.
Definition spoils (o : operation) : spoiled :=
  match does o with
  | Fof Tint => Never
  | Fof _ => if is_float (gives o) then By_result else By_argument
  | Fmin | Fmax => By_argument
  | _ => By_result
  end.
(* Arguments that do not exceed 2 ^ e and 2 ^ f (a divisor: not below 2 ^ f): what the result does not exceed. *)
Definition size_of (o : operation) (e f : Z) : option Z :=
  let clipped s := Some (Z.max (1 - bias (gives o)) (Z.min s (top (gives o)))) in
  let infinite := (is_float (takes o) && (e =? top (takes o)))%bool in
  match does o with
  | Fadd | Fsub => if (infinite && (f =? top (takes o)))%bool then None else clipped (Z.max e f + 1)
  | Fmul => if (infinite || (f =? top (takes o)))%bool then None else clipped (e + f)
  | Fdiv => if infinite then None else clipped (e - f)
  | Fneg => clipped e
  | Ffloor | Fceil | Fround | Ftrunc => clipped (Z.max e 0)
  | Fmin | Fmax => clipped (Z.max e f)
  | Fof Tint => clipped (Z.min e 64)
  | Fof _ => if is_float (gives o) then clipped (if infinite then top (gives o) else e)
             else if Z.max e 0 <? 64 then Some (Z.max e 0) else None
  end.

(* x does not exceed 2 ^ e in size, and is no NaN. *)
Definition is_size (t : value_type) (e : Z) : bool :=
  (if is_float t then (1 - bias t <=? e) && (e <=? top t) else (0 <=? e) && (e <=? 100))%bool.
Definition most (t : value_type) (e : Z) : Z := if is_float t then power t e else 2 ^ e.
Definition least (t : value_type) (e : Z) : Z := if is_float t then - power t e - 1 else - 2 ^ e.
Definition within (t : value_type) (e x : Z) : Prop := least t e <= x <= most t e.
Definition beyond (t : value_type) (e x : Z) : Prop := x <= - power t e - 1 \/ power t e <= x <= infinity t.

Record lawful_of (f : operation -> Z -> Z -> Z) (o : operation) : Prop := {
  of_its_type : forall low high a b, range (match gives o with Tint => Ti64 | t => t end) = Some (low, high) -> low <= f o a b <= high;
  in_order : forall (second grows : bool) (a a' b : Z),
    (* the argument a becomes a', b is the other *)
    let x := if second then f o b a else f o a b in
    let y := if second then f o b a' else f o a' b in
    match growth_of o second with
    | Grows => grows = true | Falls => grows = false
    | By_sign => if grows then 0 <= b else b <= -1
    | Unknown_growth => False
    end ->
    (if grows then a <= a' else a' <= a) ->
    match spoils o with
    | Never => True | By_result => x <= infinity (gives o) | By_argument => a' <= infinity (takes o)
    end ->
    x <= y;
  in_size : forall e h s a b, size_of o e h = Some s -> is_size (takes o) e = true -> within (takes o) e a ->
    (takes_two o = true -> is_size (takes o) h = true /\ match does o with Fdiv => beyond (takes o) h b | _ => within (takes o) h b end) ->
    within (gives o) s (f o a b);
  whole_in_size : forall s a b, does o = Fof Tint -> size_of o 64 0 = Some s -> within (gives o) s (f o a b);
}.
Definition lawful (env : environment) : Prop := forall o, is_operation o = true -> lawful_of (floats env) o.

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
   unknowns, and whatever operators of floats give that is lawful; and of one that is dead that nowhere do all facts hold. *)
Definition follows (rows : list row) (c : claim) : Prop :=
  forall env : environment, lawful env -> let v := meaning env rows in
  (forall f, In f (facts c) -> truth v f = true) ->
  dead c = false /\ exists g, goal c = Some g /\ truth v g = true.
