(* The checker: lines of a file -> rows -> a table of lines and certificates -> for each certificate, accepted or why not.
   Sound.v proves that what it accepts is true. The order of the steps is that of docs/certificates.md and of certcheck/certcheck.c. *)
From Coq Require Import ZArith List String Bool FMapPositive.
Require Import Meaning Print Results Read Polynomials.
Import ListNotations.
Open Scope Z_scope.
Module Table := PositiveMap.

(* -- limits: nobody takes more memory than a file is worth. What exceeds them is rejected; nothing rests on them -- *)

Fixpoint at_most (n : nat) (p : positive) : bool :=
  match n, p with O, _ => false | _, xH => true | S n, xO p | S n, xI p => at_most n p end.
Definition short (z : Z) : bool := match z with Z0 => true | Zpos p | Zneg p => at_most 1024 p end.
Fixpoint low_degree (n : nat) (m : list id) : bool :=
  match n, m with _, [] => true | O, _ => false | S n, _ :: m => low_degree n m end.
Definition modest (p : polynomial) : result polynomial :=
  if negb (short (constant p)) then Error "a number does not fit 1024 bits"
  else if forallb (fun t => short (snd t)) (terms p)
  then if forallb (fun t => low_degree 16 (fst t)) (terms p) then Ok p else Error "a degree is above 16"
  else Error "a number does not fit 1024 bits".

Fixpoint count_from {A} (n : N) (l : list A) : N := match l with [] => n | _ :: l => count_from (N.succ n) l end.
Definition small_product (a b : polynomial) : bool :=
  match terms a, terms b with
  | [], _ | _, [] | [_], _ | _, [_] => true
  | ts, us => N.leb (count_from 0 ts * count_from 0 us) 65536
  end.
Definition multiplied (a b : polynomial) : result polynomial :=
  if small_product a b then modest (multiply a b) else Error "a product has more than 65536 terms".

(* -- the table -- *)

(* A comparison is of a polynomial with 0. Not: of a formula that is no negation, denied or not. *)
Inductive formula :=
| FTrue | FFalse | FCompare (sign : comparison_sign) (d : polynomial) | FAnd (f g : id) | FOr (f g : id)
| FNot (f : id) (denied : bool) | FIff (f g : id) | FCond (f g h : id) | FAtom.
Inductive entry := Term (p : polynomial) | Known (f : formula).

(* What an unknown is. *)
Inductive definition :=
| DRange (r : option (Z * Z))
| DQuotient (p : polynomial) (d : Z) | DRatio (p m : polynomial) | DRest (p m : polynomial)
| DNegative (p : polynomial) | DChoice (f : id) (p : polynomial)
| DApply (o : operation) (p : polynomial) (m : option polynomial).

Record table := { entries : Table.t entry; definitions : Table.t definition }.

Definition term_at (t : table) (n : id) : result polynomial :=
  match Table.find n (entries t) with
  | Some (Term p) => Ok p | Some (Known _) => Error "not a term" | None => Error "a line is not there"
  end.
Definition formula_at (t : table) (n : id) : result formula :=
  match Table.find n (entries t) with
  | Some (Known f) => Ok f | Some (Term _) => Error "not a formula" | None => Error "a line is not there"
  end.
Definition definition_at (t : table) (n : id) : result definition :=
  match Table.find n (definitions t) with Some d => Ok d | None => Error "an unknown is not there" end.

(* As it is written -> unknowns sorted in each monomial, and all of them there; monomials descend. *)
Definition are_unknowns (t : table) (m : list id) : bool :=
  forallb (fun u => match Table.find u (definitions t) with Some _ => true | None => false end) m.
Fixpoint tidy_terms (t : table) (last : option (list id)) (ts done : list (list id * Z)) : result (list (list id * Z)) :=
  match ts with
  | [] => Ok (rev_append done [])
  | (m, k) :: ts =>
      if negb (low_degree 16 m) then Error "a degree is above 16"
      else if negb (are_unknowns t m) then Error "not an unknown"
      else
        let m := times_monomial m [] in
        let descends := match last with None => true | Some l => match compare_monomials l m with Gt => true | _ => false end end in
        if negb descends then Error "a polynomial is not well formed"
        else if match m with [] => true | _ => k =? 0 end then Error "a polynomial is not well formed"
        else if negb (short k) then Error "a number does not fit 1024 bits"
        else tidy_terms t (Some m) ts ((m, k) :: done)
  end.
Definition tidy (t : table) (p : polynomial) : result polynomial :=
  if negb (short (constant p)) then Error "a number does not fit 1024 bits"
  else let* ts := tidy_terms t None (terms p) [] in Ok (Polynomial (constant p) ts).

Definition operation_eq_dec (o o' : operation) : {o = o'} + {o <> o'}.
Proof. repeat decide equality. Defined.
Definition same_operation (o o' : operation) : bool := if operation_eq_dec o o' then true else false.
Definition same_second (m n : option polynomial) : bool :=
  match m, n with None, None => true | Some m, Some n => same m n | _, _ => false end.

Definition same_definition (a b : definition) : bool :=
  match a, b with
  | DQuotient p d, DQuotient q e => if d =? e then same p q else false
  | DRatio p m, DRatio q n | DRest p m, DRest q n => if same p q then same m n else false
  | DNegative p, DNegative q => same p q
  | DChoice f p, DChoice g q => if Pos.eqb f g then same p q else false
  | DApply o p m, DApply o' q n => if same_operation o o' then (if same p q then same_second m n else false) else false
  | _, _ => false
  end.

(* The unknown of line n, with its definition, or the earlier one that is the same. *)
Definition bring (t : table) (n : id) (same : option id) (d : definition) : result (id * option definition) :=
  match same with
  | None => Ok (n, Some d)
  | Some old =>
      match Table.find old (definitions t) with
      | Some there => if same_definition there d then Ok (old, None) else Error "not the same"
      | None => Error "not the same"
      end
  end.

(* What line n adds to the table: an entry (unknowns that only proofs mention have none), a definition. *)
Definition addition := (option entry * option definition)%type.
Definition brings (p : polynomial) (d : option definition) : result addition :=
  let* p := modest p in Ok (Some (Term p), d).
Definition just (e : entry) : result addition := Ok (Some e, None).

(* the number that it is, if it has no unknowns and is not 0 *)
Definition divisor_of (b : polynomial) : option Z :=
  match terms b with [] => if constant b =? 0 then None else Some (constant b) | _ => None end.

Definition elaborate (t : table) (n : id) (l : line) (same : option id) : result addition :=
  let term := term_at t in
  let bring := bring t n same in
  let plain (a : result addition) : result addition :=
    match same with None => a | Some _ => Error "something follows where the line should end" end in
  match l with
  | Int c => plain (brings (number_poly c) None)
  | Unknown ty => plain (brings (unknown_poly n) (Some (DRange (range ty))))
  | Plus a b => let* a := term a in let* b := term b in plain (brings (add a b) None)
  | Minus a b => let* a := term a in let* b := term b in plain (brings (sub a b) None)
  | Times a b => let* a := term a in let* b := term b in let* p := multiplied a b in plain (brings p None)
  | Negate a => let* a := term a in plain (brings (scale (-1) a) None)
  | Div a b =>
      let* a := term a in let* b := term b in
      match divisor_of b with
      | Some d => let* (u, def) := bring (DQuotient a (Z.abs d)) in brings (scale (Z.sgn d) (unknown_poly u)) def
      | None => let* (u, def) := bring (DRatio a b) in brings (unknown_poly u) def
      end
  | Mod a b =>
      let* a := term a in let* b := term b in
      match divisor_of b with
      | Some d => let* (u, def) := bring (DQuotient a (Z.abs d)) in brings (combine (- Z.abs d) (unknown_poly u) a) def
      | None => let* (u, def) := bring (DRest a b) in brings (unknown_poly u) def
      end
  | Min a b =>
      let* a := term a in let* b := term b in
      let* (u, def) := bring (DNegative (sub a b)) in brings (add b (unknown_poly u)) def
  | Max a b =>
      let* a := term a in let* b := term b in
      let* (u, def) := bring (DNegative (sub a b)) in brings (sub a (unknown_poly u)) def
  | Abs a =>
      let* a := term a in
      let* (u, def) := bring (DNegative a) in brings (combine (-2) (unknown_poly u) a) def
  | Select f a b =>
      let* _ := formula_at t f in let* a := term a in let* b := term b in
      let* (u, def) := bring (DChoice f (sub a b)) in brings (add b (unknown_poly u)) def
  | Of f =>
      let* _ := formula_at t f in
      let* (u, def) := bring (DChoice f (number_poly 1)) in brings (unknown_poly u) def
  | Wrap ty a =>
      let* a := term a in
      match range ty with
      | None => plain (brings a None)
      | Some (low, high) =>
          let* (u, def) := bring (DQuotient (shift (- low) a) (high - low + 1)) in
          brings (combine (- (high - low + 1)) (unknown_poly u) a) def
      end
  | Mask a m =>
      let* a := term a in
      if (if m <? 0 then true else 2 ^ 64 <=? m) then Error "a mask is out of range"
      else if 2 ^ (Z.log2 (m + 1)) =? m + 1 then
        let* (u, def) := bring (DQuotient a (m + 1)) in brings (combine (- (m + 1)) (unknown_poly u) a) def
      else plain (brings (unknown_poly n) (Some (DRange (Some (0, m)))))
  | Apply o a b =>
      let* _ := check (is_operation o) "not an operator of floats" in
      let* a := term a in
      let* b := match b with None => Ok None | Some b => let* b := term b in Ok (Some b) end in
      let* (u, def) := bring (DApply o a b) in brings (unknown_poly u) def
  | Quotient p d =>
      let* p := tidy t p in
      let* _ := check (1 <=? d) "a divisor is below 1" in
      let* (_, def) := bring (DQuotient p d) in Ok (None, def)
  | Negative p => let* p := tidy t p in let* (_, def) := bring (DNegative p) in Ok (None, def)
  | Choice f p =>
      let* _ := formula_at t f in let* p := tidy t p in let* (_, def) := bring (DChoice f p) in Ok (None, def)
  | Ratio p m => let* p := tidy t p in let* m := tidy t m in let* (_, def) := bring (DRatio p m) in Ok (None, def)
  | Rest p m => let* p := tidy t p in let* m := tidy t m in let* (_, def) := bring (DRest p m) in Ok (None, def)
  | Applied o p m =>
      let* _ := check (is_operation o) "not an operator of floats" in
      let* p := tidy t p in
      let* m := match m with None => Ok None | Some m => let* m := tidy t m in Ok (Some m) end in
      let* (_, def) := bring (DApply o p m) in Ok (None, def)
  | Yes => plain (just (Known FTrue))
  | No => plain (just (Known FFalse))
  | Compare sign a b =>
      let* a := term a in let* b := term b in let* d := modest (sub a b) in plain (just (Known (FCompare sign d)))
  | And f g => let* _ := formula_at t f in let* _ := formula_at t g in plain (just (Known (FAnd f g)))
  | Or f g => let* _ := formula_at t f in let* _ := formula_at t g in plain (just (Known (FOr f g)))
  | Not f =>
      let* inner := formula_at t f in
      plain (just (Known (match inner with FNot g denied => FNot g (negb denied) | _ => FNot f true end)))
  | Iff f g => let* _ := formula_at t f in let* _ := formula_at t g in plain (just (Known (FIff f g)))
  | Cond f g h =>
      let* _ := formula_at t f in let* _ := formula_at t g in let* _ := formula_at t h in
      plain (just (Known (FCond f g h)))
  | Atom => plain (just (Known FAtom))
  end.

Definition added (t : table) (n : id) (a : addition) : table :=
  {| entries := match fst a with Some e => Table.add n e (entries t) | None => entries t end;
     definitions := match snd a with Some d => Table.add n d (definitions t) | None => definitions t end |}.

(* -- hypotheses -- *)

Inductive hypothesis := AtLeast (p : polynomial) (* >= 0 *) | Zero (p : polynomial) | Says (f : id) (yes : bool).

(* What a step may use. Hypothesis h is at h + 1. *)
Record knowledge := {
  lines : table;
  listed : Table.t unit; (* the facts of this certificate *)
  denied : option id;    (* its goal, if that is to be shown *)
  hypotheses : Table.t hypothesis;
}.

Inductive outcome :=
| Learn (h : hypothesis)
| Cases (now later : list hypothesis) (* two cases, each of what holds in it *)
| Closed.

Definition at_ (k : knowledge) (h : N) : result hypothesis :=
  match Table.find (N.succ_pos h) (hypotheses k) with Some x => Ok x | None => Error "a hypothesis is not there" end.
Definition inequality_at (k : knowledge) (h : N) : result polynomial :=
  let* x := at_ k h in match x with AtLeast p => Ok p | _ => Error "not an inequality" end.
Definition equation_at (k : knowledge) (h : N) : result polynomial :=
  let* x := at_ k h in match x with Zero p => Ok p | _ => Error "not an equation" end.

Definition opposite (sign : comparison_sign) : comparison_sign :=
  match sign with EQ => NE | NE => EQ | LT => GE | LE => GT | GT => LE | GE => LT end.

(* A formula that holds (or does not), as a hypothesis: comparisons become polynomials, "a is not b" stays. *)
Definition asserted_as (f : formula) (n : id) (yes : bool) : hypothesis :=
  match f with
  | FCompare sign d =>
      match (if yes then sign else opposite sign) with
      | EQ => Zero d
      | NE => Says n yes
      | LT => AtLeast (shift (-1) (scale (-1) d))
      | LE => AtLeast (scale (-1) d)
      | GT => AtLeast (shift (-1) d)
      | GE => AtLeast d
      end
  | _ => Says n yes
  end.
Definition asserted (t : table) (n : id) (yes : bool) : result hypothesis :=
  let* f := formula_at t n in
  match f with
  | FNot g denied => let* f := formula_at t g in Ok (asserted_as f g (xorb yes denied))
  | _ => Ok (asserted_as f n yes)
  end.

(* -- the table of steps -- *)

Definition learn (h : result hypothesis) : result outcome := let* h := h in Ok (Learn h).
Definition two_cases (a b : result hypothesis) : result outcome := let* a := a in let* b := b in Ok (Cases [a] [b]).

(* u N: the fact in line N. *)
Definition step_u (n : id) (k : knowledge) : result outcome :=
  let* _ := check (Table.mem n (listed k)) "not one of the facts" in learn (asserted (lines k) n true).

(* g: the goal does not hold. *)
Definition step_g (k : knowledge) : result outcome :=
  match denied k with
  | Some goal => learn (asserted (lines k) goal false)
  | None => Error "of what is dead, the goal says nothing"
  end.

(* a H I: a part of a conjunction that holds or of a disjunction that does not. *)
Definition step_a (h part : N) (k : knowledge) : result outcome :=
  let* x := at_ k h in
  match x with
  | Says n yes =>
      let* f := formula_at (lines k) n in
      match f, yes with
      | FAnd a b, true | FOr a b, false =>
          match part with
          | 0%N => learn (asserted (lines k) a yes)
          | 1%N => learn (asserted (lines k) b yes)
          | _ => Error "not a conjunction"
          end
      | _, _ => Error "not a conjunction"
      end
  | _ => Error "not a conjunction"
  end.

(* d U I: what the definition of an unknown says. *)
Definition step_d (u : id) (which : N) (k : knowledge) : result outcome :=
  let* d := definition_at (lines k) u in
  let x := unknown_poly u in
  match d, which with
  | DRange (Some (low, _)), 0%N => Ok (Learn (AtLeast (shift (- low) x)))
  | DRange (Some (_, high)), 1%N => Ok (Learn (AtLeast (shift high (scale (-1) x))))
  | DQuotient p d, 2%N => Ok (Learn (AtLeast (combine (- d) x p)))
  | DQuotient p d, 3%N => Ok (Learn (AtLeast (shift (d - 1) (sub (scale d x) p))))
  | DNegative p, 2%N => Ok (Learn (AtLeast (scale (-1) x)))
  | DNegative p, 3%N => Ok (Learn (AtLeast (sub p x)))
  | DApply o _ _, 0%N | DApply o _ _, 1%N =>
      match range (match gives o with Tint => Ti64 | t => t end) with
      | Some (low, high) => Ok (Learn (AtLeast (if N.eqb which 0 then shift (- low) x else shift high (scale (-1) x))))
      | None => Error "the unknown's definition does not say so"
      end
  | _, _ => Error "the unknown's definition does not say so"
  end.

(* v I Q R H: with m >= 1 (hypothesis H), p = m*q + r, 0 <= r, r <= m - 1. *)
Definition step_v (which : N) (q r : id) (h : N) (k : knowledge) : result outcome :=
  let* dq := definition_at (lines k) q in
  let* dr := definition_at (lines k) r in
  let* given := inequality_at k h in
  match dq, dr with
  | DRatio p m, DRest p' m' =>
      let* _ := check (if same p p' then same m m' else false) "not quotient and remainder of one division" in
      let* _ := check (same given (shift (-1) m)) "the divisor is not known to be at least 1" in
      let y := unknown_poly r in
      match which with
      | 0%N =>
          let* product := multiplied m (unknown_poly q) in
          let* e := modest (sub (sub p y) product) in Ok (Learn (Zero e))
      | 1%N => Ok (Learn (AtLeast y))
      | _ => Ok (Learn (AtLeast (shift (-1) (sub m y))))
      end
  | _, _ => Error "not quotient and remainder of one division"
  end.

(* e U V H I: unknowns with equal definitions are equal. *)
Definition shown_equal (k : knowledge) (p q : polynomial) (h : option N) : result unit :=
  match h with
  | None => check (same p q) "arguments are not shown equal"
  | Some h => let* given := equation_at k h in check (same given (cut (sub p q) true)) "arguments are not shown equal"
  end.
Definition step_e (u v : id) (hs : list (option N)) (k : knowledge) : result outcome :=
  let '(h, i) := match hs with [] => (None, None) | [h] => (h, None) | h :: i :: _ => (h, i) end in
  let* du := definition_at (lines k) u in
  let* dv := definition_at (lines k) v in
  let* _ :=
    match du, dv with
    | DQuotient p d, DQuotient q e =>
        let* _ := check (d =? e) "unknowns of different kinds" in shown_equal k p q h
    | DRatio p m, DRatio q n | DRest p m, DRest q n => let* _ := shown_equal k p q h in shown_equal k m n i
    | DNegative p, DNegative q => shown_equal k p q h
    | DChoice f p, DChoice g q =>
        let* _ := check (Pos.eqb f g) "unknowns of different kinds" in shown_equal k p q h
    | DApply o p m, DApply o' q n =>
        let* _ := check (same_operation o o') "unknowns of different kinds" in
        let* _ := shown_equal k p q h in
        match m, n with Some m, Some n => shown_equal k m n i | None, None => Ok tt | _, _ => Error "unknowns of different kinds" end
    | _, _ => Error "unknowns of different kinds"
    end in
  Ok (Learn (Zero (sub (unknown_poly u) (unknown_poly v)))).

(* Is hypothesis h p >= 0? *)
Definition is_shown (k : knowledge) (h : option N) (p : polynomial) : result bool :=
  match h with None => Ok false | Some h => let* given := inequality_at k h in Ok (same given p) end.

(* f I U V H S N: one operator of floats, of arguments of which one differs. *)
Definition the_other (second : bool) (a a' : polynomial) (b b' : option polynomial) : result (polynomial * polynomial * polynomial) :=
  match second, b, b' with
  | false, None, None => Ok (a, a', number_poly 0)
  | false, Some b, Some b' => let* _ := check (same b b') "arguments are not shown equal" in Ok (a, a', b)
  | true, Some b, Some b' => let* _ := check (same a a') "arguments are not shown equal" in Ok (b, b', a)
  | _, _, _ => Error "an argument is not there"
  end.
Definition does_grow (k : knowledge) (o : operation) (second : bool) (other : polynomial) (s : option N) : result bool :=
  match growth_of o second with
  | Grows => Ok true
  | Falls => Ok false
  | Unknown_growth => Error "not known to grow or to fall"
  | By_sign =>
      let* plus := is_shown k s other in
      if plus then Ok true
      else let* minus := is_shown k s (shift (-1) (scale (-1) other)) in if minus then Ok false else Error "not known to grow or to fall"
  end.
Definition step_f (which : N) (u v : id) (h s n : option N) (k : knowledge) : result outcome :=
  let* du := definition_at (lines k) u in
  let* dv := definition_at (lines k) v in
  match du, dv with
  | DApply o a b, DApply o' a' b' =>
      let* _ := check (same_operation o o') "unknowns of different kinds" in
      let* _ := check (N.ltb which 2) "an argument is not there" in
      let second := N.eqb which 1 in
      let* (p, q, other) := the_other second a a' b b' in
      let* grows := does_grow k o second other s in
      let* ordered := is_shown k h (if grows then sub q p else sub p q) in
      let* _ := check ordered "arguments are not shown to be in order" in
      let x := unknown_poly u in
      let* is_number :=
        match spoils o with
        | Never => Ok true
        | By_result => is_shown k n (shift (infinity (gives o)) (scale (-1) x))
        | By_argument => is_shown k n (shift (infinity (takes o)) (scale (-1) q))
        end in
      let* _ := check is_number "it may be no number" in
      Ok (Learn (AtLeast (sub (unknown_poly v) x)))
  | _, _ => Error "unknowns of different kinds"
  end.

(* r I U E F H K L M: sizes of the arguments, and that of the result. *)
Definition shown_within (k : knowledge) (t : value_type) (p : polynomial) (e : Z) (upper lower : option N) : result bool :=
  if is_size t e then
    let* up := is_shown k upper (shift (most t e) (scale (-1) p)) in
    if up then is_shown k lower (shift (- least t e) p) else Ok false
  else Ok false.
Definition shown_beyond (k : knowledge) (t : value_type) (p : polynomial) (e : Z) (h number : option N) : result bool :=
  if is_size t e then
    let* below := is_shown k h (shift (- power t e - 1) (scale (-1) p)) in
    if below then Ok true
    else
      let* above := is_shown k h (shift (- power t e) p) in
      if above then is_shown k number (shift (infinity t) (scale (-1) p)) else Ok false
  else Ok false.
Definition is_of_whole (o : operation) : bool := match does o with Fof Tint => true | _ => false end.
Definition step_r (which : N) (u : id) (e f : Z) (h i l m : option N) (k : knowledge) : result outcome :=
  let* d := definition_at (lines k) u in
  match d with
  | DApply o p q =>
      let* _ := check (N.ltb which 2) "not a size" in
      let free := is_of_whole o && (e =? 64) && match h with None => true | _ => false end in
      let* first := if free then Ok true else shown_within k (takes o) p e h i in
      let* second :=
        match q, first, takes_two o with
        | Some q, true, true =>
            match does o with Fdiv => shown_beyond k (takes o) q f l m | _ => shown_within k (takes o) q f l m end
        | None, true, false => Ok true
        | _, _, _ => Ok false
        end in
      match (if second then size_of o e (if takes_two o then f else 0) else None) with
      | Some s =>
          let x := unknown_poly u in
          Ok (Learn (AtLeast (if N.eqb which 0 then shift (most (gives o) s) (scale (-1) x) else shift (- least (gives o) s) x)))
      | None => Error "not a size"
      end
  | _ => Error "not a size"
  end.

(* l M1 H1 M2 H2 ...: a sum of equations times polynomials and of inequalities times numbers >= 0, cut. *)
Fixpoint sum_of (k : knowledge) (parts : list (polynomial * N)) (sum : polynomial) (is_equal : bool)
  : result (polynomial * bool) :=
  match parts with
  | [] => Ok (sum, is_equal)
  | (m, h) :: parts =>
      let* x := at_ k h in
      match x, terms m with
      | Zero p, [] => sum_of k parts (combine (constant m) p sum) is_equal
      | Zero p, _ => let* q := multiplied m p in sum_of k parts (add q sum) is_equal
      | AtLeast p, [] =>
          if 0 <=? constant m then sum_of k parts (combine (constant m) p sum) false
          else Error "an inequality times what may be negative"
      | AtLeast _, _ => Error "an inequality times what may be negative"
      | Says _ _, _ => Error "a formula is no number"
      end
  end.
Definition step_l (parts : list (polynomial * N)) (k : knowledge) : result outcome :=
  let* (sum, is_equal) := sum_of k parts (number_poly 0) true in
  let* p := modest (cut sum is_equal) in
  Ok (Learn (if is_equal then Zero p else AtLeast p)).

(* m H I: the product of two inequalities. *)
Definition step_m (h i : N) (k : knowledge) : result outcome :=
  let* p := inequality_at k h in let* q := inequality_at k i in
  let* r := multiplied p q in Ok (Learn (AtLeast r)).

(* s P: a square. *)
Definition step_s (p : polynomial) (k : knowledge) : result outcome :=
  let* r := multiplied p p in Ok (Learn (AtLeast r)).

(* q H I: p >= 0 and -p >= 0. *)
Definition step_q (h i : N) (k : knowledge) : result outcome :=
  let* p := inequality_at k h in let* q := inequality_at k i in
  let* _ := check (same (scale (-1) p) q) "not opposite inequalities" in Ok (Learn (Zero p)).

(* k P: -p - 1 >= 0, or p >= 0. *)
Definition step_k (p : polynomial) (k : knowledge) : result outcome :=
  Ok (Cases [AtLeast (shift (-1) (scale (-1) p))] [AtLeast p]).

(* o H: the two cases of a formula. *)
Definition step_o (h : N) (k : knowledge) : result outcome :=
  let* x := at_ k h in
  match x with
  | Says n yes =>
      let t := lines k in
      let* f := formula_at t n in
      match f, yes with
      | FCompare EQ d, false | FCompare NE d, true =>
          Ok (Cases [AtLeast (shift (-1) d)] [AtLeast (shift (-1) (scale (-1) d))])
      | FOr a b, true | FAnd a b, false => two_cases (asserted t a yes) (asserted t b yes)
      | FIff a b, _ =>
          let* a1 := asserted t a true in let* b1 := asserted t b yes in
          let* a2 := asserted t a false in let* b2 := asserted t b (negb yes) in Ok (Cases [a1; b1] [a2; b2])
      | FCond a b c, _ =>
          let* a1 := asserted t a true in let* b1 := asserted t b yes in
          let* a2 := asserted t a false in let* c2 := asserted t c yes in Ok (Cases [a1; b1] [a2; c2])
      | _, _ => Error "nothing to split"
      end
  | _ => Error "nothing to split"
  end.

(* n U: the two cases of an unknown's definition. *)
Definition step_n (u : id) (k : knowledge) : result outcome :=
  let* d := definition_at (lines k) u in
  let x := unknown_poly u in
  match d with
  | DNegative p => Ok (Cases [Zero (sub p x); AtLeast (shift (-1) (scale (-1) p))] [Zero x; AtLeast p])
  | DChoice f p =>
      let* yes := asserted (lines k) f true in
      let* no := asserted (lines k) f false in Ok (Cases [Zero (sub x p); yes] [Zero x; no])
  | _ => Error "nothing to split"
  end.

(* . H: the hypothesis is impossible. *)
Definition step_dot (h : N) (k : knowledge) : result outcome :=
  let* x := at_ k h in
  let* impossible :=
    match x with
    | AtLeast p => Ok (match terms p with [] => constant p <? 0 | _ => false end)
    | Zero p => let g := content p in Ok (if g =? 0 then negb (constant p =? 0) else negb (constant p mod g =? 0))
    | Says n yes => let* f := formula_at (lines k) n in Ok (match f, yes with FFalse, true | FTrue, false => true | _, _ => false end)
    end in
  let* _ := check impossible "not a contradiction" in Ok Closed.

(* x H I: a formula holds, and does not. *)
Definition step_x (h i : N) (k : knowledge) : result outcome :=
  let* x := at_ k h in let* y := at_ k i in
  match x, y with
  | Says m yes, Says n no =>
      let* _ := check (if Pos.eqb m n then xorb yes no else false) "not a contradiction" in Ok Closed
  | _, _ => Error "not a contradiction"
  end.

Definition consider (s : step) : knowledge -> result outcome :=
  match s with
  | Su n => step_u n
  | Sg => step_g
  | Sa h part => step_a h part
  | Sd u which => step_d u which
  | Sv which q r h => step_v which q r h
  | Se u v hs => step_e u v hs
  | Sf which u v h s n => step_f which u v h s n
  | Sr which u e f h i l m => step_r which u e f h i l m
  | Sl parts => step_l parts
  | Sm h i => step_m h i
  | Ss p => step_s p
  | Sq h i => step_q h i
  | Sk p => step_k p
  | So h => step_o h
  | Sn u => step_n u
  | Sdot h => step_dot h
  | Sx h i => step_x h i
  end.

(* -- a certificate -- *)

(* "place": its line of the file; each step has its own, too. *)
Record certificate := { claimed : claim; place : N; proof : list (N * step) }.
Inductive verdict := Accepted | Rejected (place : N) (why : string).

Definition stack := (positive * Table.t hypothesis)%type. (* the place of the next hypothesis, and those that there are *)
Definition push (s : stack) (h : hypothesis) : stack := (Pos.succ (fst s), Table.add (fst s) h (snd s)).

(* "frames": cases that are still to be refuted: the stack where they were opened, and what holds in them. "last": the line
   that was looked at last. *)
Fixpoint run (t : table) (facts : Table.t unit) (goal : option id) (steps : list (N * step)) (last : N) (s : stack)
    (frames : list (stack * list hypothesis)) : verdict :=
  match steps with
  | [] => Rejected last "the proof does not end"
  | (place, step) :: rest =>
      match consider step {| lines := t; listed := facts; denied := goal; hypotheses := snd s |} with
      | Error why => Rejected place why
      | Ok (Learn h) => run t facts goal rest place (push s h) frames
      | Ok (Cases now later) => run t facts goal rest place (fold_left push now s) ((s, later) :: frames)
      | Ok Closed =>
          match frames, rest with
          | [], [] => Accepted
          | [], (next, _) :: _ => Rejected next "steps follow the last contradiction"
          | (s, later) :: frames, _ => run t facts goal rest place (fold_left push later s) frames
          end
      end
  end.

Definition set_of (ns : list id) : Table.t unit := fold_left (fun set n => Table.add n tt set) ns (Table.empty unit).
Definition takes_goal (steps : list (N * step)) : bool :=
  existsb (fun s => match snd s with Sg => true | _ => false end) steps.
Definition last_place (place : N) (steps : list (N * step)) : N := fold_left (fun _ s => fst s) steps place.
(* The facts of what is dead contradict each other: the goal is not taken. Others take it, or do not say what they are. *)
Definition judge_certificate (t : table) (c : certificate) : verdict :=
  match run t (set_of (facts (claimed c))) (if dead (claimed c) then None else goal (claimed c)) (proof c) (place c)
          (1%positive, Table.empty hypothesis) [] with
  | Accepted =>
      if (if dead (claimed c) then true else takes_goal (proof c)) then Accepted
      else Rejected (last_place (place c) (proof c)) "the facts contradict each other, and it is not said to be dead"
  | rejected => rejected
  end.

(* -- a file -- *)

(* What the certificates that follow are about; the last obligation that was spoken of and its last part, 0 if it has none; how
   many are not shown. *)
Record program := {
  name : string;
  target : string; (* the hash of the target program *)
  obligations : N;
  last : N;
  last_part : N;
  unshown : N;
  last_is_unshown : bool;
}.

(* Each obligation once and in order: none is missing and none belongs to another program. "NAME/NUMBER" and
   "NAME/NUMBER.PART" are compared as they are written. *)
Definition name_of (p : program) (n : N) (part : option N) : string :=
  (name p ++ "/" ++ of_n n ++ match part with None => "" | Some part => "." ++ of_n part end)%string.
Definition speak_of (programs : list program) (id : string) (is_open : bool) : result (list program) :=
  match programs with
  | [] => Error "no program was named"
  | p :: others =>
      let n := N.succ (last p) in
      let is_next_part := negb (N.eqb (last_part p) 0) && String.eqb id (name_of p (last p) (Some (N.succ (last_part p)))) in
      let is_first_part := String.eqb id (name_of p n (Some 1%N)) in
      let* _ := check (is_next_part || is_first_part || String.eqb id (name_of p n None)) "not the id of what is next" in
      let* _ := check (is_next_part || N.ltb (last p) (obligations p)) "the program has no such obligation" in
      let is_new := is_open && (negb is_next_part || negb (last_is_unshown p)) in
      Ok ({| name := name p; target := target p; obligations := obligations p; last := if is_next_part then last p else n;
             last_part := if is_next_part then N.succ (last_part p) else if is_first_part then 1%N else 0%N;
             unshown := if is_new then N.succ (unshown p) else unshown p;
             last_is_unshown := is_open || (is_next_part && last_is_unshown p) |} :: others)
  end.
Definition are_finished (programs : list program) : result unit :=
  match programs with
  | p :: _ => check (N.eqb (last p) (obligations p)) "certificates are missing"
  | [] => Ok tt
  end.
Definition new_program (programs : list program) (name_ target_ : string) (obligations_ : N) : result (list program) :=
  let* _ := are_finished programs in
  let* _ := check (N.ltb (count_from 0 programs) 1000) "too many programs" in
  let* _ := check (forallb (fun p => negb (String.eqb (name p) name_)) programs) "a program occurs twice" in
  Ok ({| name := name_; target := target_; obligations := obligations_; last := 0; last_part := 0; unshown := 0;
         last_is_unshown := false |} :: programs).

(* A certificate whose rows are being read: its steps, last first. *)
Record unfinished := { current : claim; begun : N; has_facts : bool; steps_back : list (N * step) }.

Record reading := {
  next : id;
  known : table;
  programs : list program;             (* last first, as are the certificates, and the lines of what is open *)
  started : option unfinished;
  certificates_back : list certificate;
  open_back : list N;
  ended : bool;
}.
Definition nothing_read : reading :=
  {| next := 1%positive; known := {| entries := Table.empty _; definitions := Table.empty _ |}; programs := [];
     started := None; certificates_back := []; open_back := []; ended := false |}.

Fixpoint tidy_parts (t : table) (parts done : list (polynomial * N)) : result (list (polynomial * N)) :=
  match parts with
  | [] => Ok (rev_append done [])
  | (p, h) :: parts => let* p := tidy t p in tidy_parts t parts ((p, h) :: done)
  end.
Definition tidy_step (t : table) (s : step) : result step :=
  match s with
  | Sl parts => let* parts := tidy_parts t parts [] in Ok (Sl parts)
  | Ss p => let* p := tidy t p in Ok (Ss p)
  | Sk p => let* p := tidy t p in Ok (Sk p)
  | _ => Ok s
  end.

Fixpoint all_formulas (t : table) (ns : list id) : result unit :=
  match ns with [] => Ok tt | n :: ns => let* _ := formula_at t n in all_formulas t ns end.

(* A row between "certificate" and "qed". *)
Definition read_claim (r : reading) (u : unfinished) (place : N) (x : row) : result reading :=
  let c := current u in
  let continue (c : claim) (has_facts : bool) (steps : list (N * step)) : result reading :=
    Ok {| next := next r; known := known r; programs := programs r;
          started := Some {| current := c; begun := begun u; has_facts := has_facts; steps_back := steps |};
          certificates_back := certificates_back r; open_back := open_back r; ended := ended r |} in
  match x, goal c with
  | Facts fs, None =>
      let* _ := check (negb (has_facts u)) "not a step" in
      let* _ := all_formulas (known r) fs in continue (Claim fs None (dead c)) true (steps_back u)
  | Goal g, None =>
      let* _ := formula_at (known r) g in continue (Claim (facts c) (Some g) (dead c)) (has_facts u) (steps_back u)
  | Dead, Some g =>
      let* _ := check (negb (dead c)) "not a step" in
      let* _ := check (match steps_back u with [] => true | _ => false end) "not a step" in
      continue (Claim (facts c) (Some g) true) (has_facts u) (steps_back u)
  | Step s, Some _ => let* s := tidy_step (known r) s in continue c (has_facts u) ((place, s) :: steps_back u)
  | Qed_, Some _ =>
      Ok {| next := next r; known := known r; programs := programs r; started := None;
            certificates_back := {| claimed := c; place := begun u; proof := rev_append (steps_back u) [] |}
              :: certificates_back r;
            open_back := open_back r; ended := ended r |}
  | _, _ => Error "not a step"
  end.

Definition read_row (r : reading) (place : N) (x : row) : result reading :=
  let continue (n : id) (t : table) (ps : list program) (u : option unfinished) (opened : list N) (is_end : bool) :=
    Ok {| next := n; known := t; programs := ps; started := u; certificates_back := certificates_back r;
          open_back := opened; ended := is_end |} in
  let* _ := check (negb (ended r)) "something follows the end" in
  match started r, x with
  | Some u, _ => read_claim r u place x
  | None, Line n l same =>
      let* _ := check (Pos.eqb n (next r)) "not the number of the next line" in
      let* a := elaborate (known r) n l same in
      continue (Pos.succ n) (added (known r) n a) (programs r) None (open_back r) false
  | None, Program name obligations target _ _ =>
      let* ps := new_program (programs r) name target obligations in continue (next r) (known r) ps None (open_back r) false
  | None, Certificate name _ =>
      let* ps := speak_of (programs r) name false in
      continue (next r) (known r) ps
        (Some {| current := Claim [] None false; begun := place; has_facts := false; steps_back := [] |}) (open_back r) false
  | None, Open name _ =>
      let* ps := speak_of (programs r) name true in continue (next r) (known r) ps None (place :: open_back r) false
  | None, End n =>
      let* _ := check (N.eqb n (count_from 0 (certificates_back r))) "certificates are missing" in
      let* _ := are_finished (programs r) in continue (next r) (known r) (programs r) None (open_back r) true
  | None, _ => Error "not the number of the next line"
  end.

(* "words_of": whatever splits lines into words, none for a comment. The state after all lines, or the line that is wrong and
   why. *)
Fixpoint read_from (words_of : string -> list string) (r : reading) (place : N) (lines : list string) : reading + (N * string) :=
  match lines with
  | [] => if ended r then inl r else inr (N.pred place, "the end is missing"%string)
  | line :: lines =>
      match words_of line with
      | [] => read_from words_of r (N.succ place) lines
      | words =>
          match (let* x := row_of_words words in read_row r place x) with
          | Ok r => read_from words_of r (N.succ place) lines
          | Error why => inr (place, why)
          end
      end
  end.
Definition header : string := "halyard-certificates 2".
Definition read (words_of : string -> list string) (lines : list string) : reading + (N * string) :=
  match lines with
  | first :: lines =>
      if String.eqb first header then read_from words_of nothing_read 2 lines else inr (1%N, "not a file of certificates"%string)
  | [] => inr (1%N, "not a file of certificates"%string)
  end.

(* -- what is said of it -- *)

Record judged := { head : N; is_dead : bool; says : verdict }. (* of a certificate: its line, and the verdict *)
(* Of each certificate, in the order of the file. *)
Definition judge (r : reading) : list judged :=
  fold_left (fun done c => {| head := place c; is_dead := dead (claimed c); says := judge_certificate (known r) c |} :: done)
    (certificates_back r) [].

Definition is_accepted (j : judged) : bool := match says j with Accepted => true | _ => false end.
Definition count {A} (which : A -> bool) (l : list A) : N := fold_left (fun n x => if which x then N.succ n else n) l 0%N.
Definition sum (f : program -> N) (ps : list program) : N := fold_left (fun n p => (n + f p)%N) ps 0%N.
(* The sum: all certificates, those accepted, the dead among them, obligations, those that are shown. *)
Record sums := { all : N; accepted : N; accepted_dead : N; owed : N; shown : N }.
Definition sum_up (r : reading) (verdicts : list judged) : sums :=
  {| all := count (fun _ => true) verdicts; accepted := count is_accepted verdicts;
     accepted_dead := count (fun j => is_accepted j && is_dead j) verdicts; owed := sum obligations (programs r);
     shown := (sum obligations (programs r) - sum unshown (programs r))%N |}.
(* Everything is shown, and there is something. *)
Definition is_proved (s : sums) : bool :=
  negb (N.eqb (all s) 0) && N.eqb (accepted s) (all s) && N.eqb (shown s) (owed s).
