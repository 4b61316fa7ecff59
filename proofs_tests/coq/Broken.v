(* Does "sound" say anything? Each step has a twin that is broken in one place, as a program might be, and of each it is shown
   that it is not sound: a table, values and hypotheses that fit, and a conclusion that is false. *)
From Coq Require Import ZArith List String Lia Bool FMapPositive.
Require Import Meaning Results Polynomials Checker Lines Sound.
Import ListNotations.
Open Scope Z_scope.

(* -- operators of floats that are lawful: a product is 1 where its factors have one sign, all else is 0 -- *)

Definition some_floats (o : operation) (a b : Z) : Z :=
  match does o with Fmul => if Bool.eqb (0 <=? a) (0 <=? b) then 1 else 0 | _ => 0 end.

Lemma power_positive t s : 1 - bias t <= s -> 1 <= power t s.
Proof. intros less. unfold power. destruct t; simpl fraction; simpl bias in *; lia. Qed.
Lemma sizes_hold o e f s x : is_operation o = true -> size_of o e f = Some s -> 0 <= x <= 1 -> within (gives o) s x.
Proof.
  intros is_o sized small. unfold within, least, most. destruct (is_float (gives o)) eqn:float.
  - assert (1 - bias (gives o) <= s) as more.
    { revert sized is_o. unfold size_of, is_operation. destruct o as [d t]. simpl in *.
      destruct d as [| | | | | | | | | | |[]], t; try discriminate; simpl;
      repeat match goal with |- context [if ?c then _ else _] => destruct c end; intros [= <-] _; simpl; lia. }
    apply power_positive in more. lia.
  - assert (0 <= s) as more.
    { revert sized is_o float. unfold size_of, is_operation. destruct o as [d t]. simpl in *.
      destruct d as [| | | | | | | | | | |[]], t; try discriminate; simpl;
      repeat match goal with |- context [if ?c then _ else _] => destruct c end; try discriminate; intros [= <-] _ _; lia. }
    assert (0 < 2 ^ s) by (apply Z.pow_pos_nonneg; lia). lia.
Qed.
Lemma small_floats o a b : 0 <= some_floats o a b <= 1.
Proof. unfold some_floats. destruct (does o); try lia. destruct (Bool.eqb _ _); lia. Qed.
Lemma floats_are_lawful o : is_operation o = true -> lawful_of some_floats o.
Proof.
  intros is_o. split.
  - intros low high a b r. assert (s := small_floats o a b). revert r s is_o. unfold some_floats, is_operation.
    destruct o as [d t]. simpl. destruct d as [| | | | | | | | | | |[]], t; try discriminate; simpl; intros [= <- <-]; lia.
  - intros second grows a a' b x y grow order _. subst x y. unfold some_floats. revert grow. unfold growth_of.
    destruct (does o), second; try easy; try lia;
    destruct grows, (Z.leb_spec 0 a), (Z.leb_spec 0 a'), (Z.leb_spec 0 b); simpl; lia.
  - intros e h s a b sized _ _ _. apply (sizes_hold o e h); auto using small_floats.
  - intros s a b _ sized. apply (sizes_hold o 64 0); auto using small_floats.
Qed.

(* -- a world: unknowns 1 to 9, formulas 10 (true), 11 (false), 12 (10 and 11), 13 (10 or 11) -- *)

Definition env := {| free := fun _ => 1; opaque := fun _ => false; quotient_by_zero := fun _ => 5;
  remainder_by_zero := fun _ => 7; floats := some_floats |}.
Definition x := unknown_poly 1%positive.
Definition V (u : id) : Z :=
  match u with 1%positive => 1 | 2%positive => 0 | 3%positive => 5 | 4%positive => 7 | 5%positive => 0 | 6%positive => 1
  | 7%positive | 8%positive => 1 | _ => 0 end.
Definition v (n : id) : value :=
  match n with 10 => Truth true | 11 => Truth false | 12 => Truth false | 13 => Truth true | _ => Nothing end%positive.

Definition put_all {A} (l : list (id * A)) : Table.t A := fold_right (fun e t => Table.add (fst e) (snd e) t) (Table.empty A) l.
Definition world : table := {|
  entries := put_all [(10%positive, Known FTrue); (11%positive, Known FFalse);
    (12%positive, Known (FAnd 10%positive 11%positive)); (13%positive, Known (FOr 10%positive 11%positive))];
  definitions := put_all [(1%positive, DRange (Some (0, 1))); (2%positive, DQuotient x 2);
    (3%positive, DRatio x (number_poly 0)); (4%positive, DRest x (number_poly 0)); (5%positive, DNegative x);
    (6%positive, DChoice 10%positive x); (8%positive, DQuotient x 1);
    (7%positive, DApply (Operation Fmul Tf32) (number_poly (-1)) (Some (number_poly (-1))));
    (9%positive, DApply (Operation Fmul Tf32) (number_poly 0) (Some (number_poly (-1))))] |}.

Lemma put_all_in {A} (l : list (id * A)) k e : Table.find k (put_all l) = Some e -> In (k, e) l.
Proof.
  induction l as [|[a y] l IH]; simpl; [now rewrite PositiveMap.gempty|].
  destruct (Pos.eq_dec k a) as [->|]; [rewrite PositiveMap.gss; intros [= <-]; auto|rewrite PositiveMap.gso; auto].
Qed.

Lemma world_good : good env 20%positive v V world.
Proof.
  assert (fresh 20%positive x) as x_fresh by now apply fresh_unknown.
  split; [..|exact floats_are_lawful]; intros k e there; apply put_all_in in there; simpl in there;
  repeat (destruct there as [[= <- <-]|there]; [repeat split; try easy; auto with fresh; vm_compute; easy|]); easy.
Qed.

Definition knows (listed : list id) (denied : option id) (hs : list hypothesis) : knowledge :=
  {| lines := world; listed := set_of listed; denied := denied;
     hypotheses := snd (fold_left push hs (1%positive, Table.empty hypothesis)) |}.

(* Not sound: with hypotheses that hold in this world the step concludes o, which does not. *)
Lemma refuted step denied hs o : (forall g, denied = Some g -> truth v g = false) -> Forall (holds v V) hs ->
  step (knows [] denied hs) = Ok o -> ~ justified v V o -> ~ sound step.
Proof.
  intros no_goal all made not sound. apply not. apply (sound env 20%positive v V (knows [] denied hs)); [|easy].
  split; [exact world_good| |exact no_goal|].
  - intros f there. apply set_of_in in there. easy.
  - apply push_all; [|easy]. intros h y. simpl. now rewrite PositiveMap.gempty.
Qed.

Ltac no_goal := intros ? [=]; subst; reflexivity.
Ltac all_hold := repeat constructor; simpl; try reflexivity; vm_compute; congruence.
Ltac not_so H := vm_compute in H; easy || congruence.
Ltac false_here :=
  match goal with
  | |- ~ justified _ _ (Cases _ _) => intros [all|all]; first [apply Forall_inv in all; not_so all | apply Forall_inv_tail, Forall_inv in all; not_so all]
  | _ => intros said; not_so said
  end.
Ltac broken step denied hs := eapply (refuted step denied hs); [no_goal|all_hold|vm_compute; reflexivity|false_here].

(* -- the twins -- *)

(* u: any line is a fact *)
Definition broken_u (n : id) (k : knowledge) := learn (asserted (lines k) n true).
Lemma u_twin : ~ sound (broken_u 11%positive). Proof. broken (broken_u 11%positive) (@None id) (@nil hypothesis). Qed.

(* g: the goal holds *)
Definition broken_g (k : knowledge) := match denied k with Some g => learn (asserted (lines k) g true) | None => Error "" end.
Lemma g_twin : ~ sound broken_g. Proof. broken broken_g (Some 11%positive) (@nil hypothesis). Qed.

(* a: a part of a disjunction that holds *)
Definition broken_a (h : N) (k : knowledge) := let* y := at_ k h in
  match y with
  | Says n yes => let* f := formula_at (lines k) n in
      match f with FAnd a b | FOr a b => learn (asserted (lines k) b yes) | _ => Error "" end
  | _ => Error ""
  end.
Lemma a_twin : ~ sound (broken_a 0%N). Proof. broken (broken_a 0%N) (@None id) [Says 13%positive true]. Qed.

(* d: without the divisor's rest *)
Definition broken_d (u : id) (k : knowledge) := let* d := definition_at (lines k) u in
  match d with DQuotient p d => Ok (Learn (AtLeast (sub (scale d (unknown_poly u)) p))) | _ => Error "" end.
Lemma d_twin : ~ sound (broken_d 2%positive). Proof. broken (broken_d 2%positive) (@None id) (@nil hypothesis). Qed.

(* d: the lesser of p and 0 is at least p *)
Definition broken_d_negative (u : id) (k : knowledge) := let* d := definition_at (lines k) u in
  match d with DNegative p => Ok (Learn (AtLeast (sub (unknown_poly u) p))) | _ => Error "" end.
Lemma d_twin_negative : ~ sound (broken_d_negative 5%positive).
Proof. broken (broken_d_negative 5%positive) (@None id) (@nil hypothesis). Qed.

(* v: by any divisor *)
Definition broken_v (q r : id) (k : knowledge) := let* d := definition_at (lines k) q in
  match d with
  | DRatio p m => Ok (Learn (Zero (sub (sub p (unknown_poly r)) (multiply m (unknown_poly q))))) | _ => Error ""
  end.
Lemma v_twin : ~ sound (broken_v 3%positive 4%positive). Proof. broken (broken_v 3%positive 4%positive) (@None id) (@nil hypothesis). Qed.

(* v: the remainder, by any divisor *)
Definition broken_v_rest (r : id) (k : knowledge) := let* d := definition_at (lines k) r in
  match d with DRest _ m => Ok (Learn (AtLeast (shift (-1) (sub m (unknown_poly r))))) | _ => Error "" end.
Lemma v_twin_rest : ~ sound (broken_v_rest 4%positive).
Proof. broken (broken_v_rest 4%positive) (@None id) (@nil hypothesis). Qed.

(* e: of any divisors *)
Definition broken_e (u w : id) (k : knowledge) :=
  let* a := definition_at (lines k) u in let* b := definition_at (lines k) w in
  match a, b with
  | DQuotient p _, DQuotient q _ =>
      let* _ := shown_equal k p q None in Ok (Learn (Zero (sub (unknown_poly u) (unknown_poly w)))) | _, _ => Error ""
  end.
Lemma e_twin : ~ sound (broken_e 2%positive 8%positive). Proof. broken (broken_e 2%positive 8%positive) (@None id) (@nil hypothesis). Qed.

(* f: whatever the sign of the other factor *)
Definition broken_f (u w : id) (h : N) (k : knowledge) :=
  let* a := definition_at (lines k) u in let* b := definition_at (lines k) w in
  match a, b with
  | DApply o p _, DApply _ q _ =>
      let* ordered := is_shown k (Some h) (sub q p) in
      let* _ := check ordered "" in Ok (Learn (AtLeast (sub (unknown_poly w) (unknown_poly u))))
  | _, _ => Error ""
  end.
Lemma f_twin : ~ sound (broken_f 7%positive 9%positive 0%N).
Proof. broken (broken_f 7%positive 9%positive 0%N) (@None id) [AtLeast (number_poly 1)]. Qed.

(* r: a power that no normal number is *)
Definition broken_r (u : id) (s : Z) (k : knowledge) := let* d := definition_at (lines k) u in
  match d with DApply o _ _ => Ok (Learn (AtLeast (shift (power (gives o) s) (scale (-1) (unknown_poly u))))) | _ => Error "" end.
Lemma r_twin : ~ sound (broken_r 7%positive (-200)).
Proof. broken (broken_r 7%positive (-200)) (@None id) (@nil hypothesis). Qed.

(* l: an inequality times what is negative *)
Definition broken_l (m : Z) (h : N) (k : knowledge) :=
  let* p := inequality_at k h in Ok (Learn (AtLeast (cut (scale m p) false))).
Lemma l_twin : ~ sound (broken_l (-1) 0%N). Proof. broken (broken_l (-1) 0%N) (@None id) [AtLeast x]. Qed.
(* l: a cut that goes too deep *)
Definition broken_cut (h : N) (k : knowledge) :=
  let* p := inequality_at k h in Ok (Learn (AtLeast (shift (-1) (cut p false)))).
Lemma l_twin_cut : ~ sound (broken_cut 0%N). Proof. broken (broken_cut 0%N) (@None id) [AtLeast (shift (-2) (scale 2 x))]. Qed.

(* m: of an inequality and an equation's left side, denied *)
Definition broken_m (h i : N) (k : knowledge) := let* p := inequality_at k h in let* q := inequality_at k i in
  Ok (Learn (AtLeast (scale (-1) (multiply p q)))).
Lemma m_twin : ~ sound (broken_m 0%N 0%N). Proof. broken (broken_m 0%N 0%N) (@None id) [AtLeast x]. Qed.

(* s: a square is positive *)
Definition broken_s (p : polynomial) (k : knowledge) : result outcome := Ok (Learn (AtLeast (shift (-1) (multiply p p)))).
Lemma s_twin : ~ sound (broken_s (shift (-1) x)). Proof. broken (broken_s (shift (-1) x)) (@None id) (@nil hypothesis). Qed.

(* q: of one inequality *)
Definition broken_q (h : N) (k : knowledge) := let* p := inequality_at k h in Ok (Learn (Zero p)).
Lemma q_twin : ~ sound (broken_q 0%N). Proof. broken (broken_q 0%N) (@None id) [AtLeast x]. Qed.

(* k: leaves -1 out *)
Definition broken_k (p : polynomial) (k : knowledge) : result outcome :=
  Ok (Cases [AtLeast (shift (-2) (scale (-1) p))] [AtLeast p]).
Lemma k_twin : ~ sound (broken_k (shift (-2) x)). Proof. broken (broken_k (shift (-2) x)) (@None id) (@nil hypothesis). Qed.

(* o: of a conjunction that does not hold the first part does not *)
Definition broken_o (h : N) (k : knowledge) := let* y := at_ k h in
  match y with
  | Says n false => let* f := formula_at (lines k) n in
      match f with FAnd a b => two_cases (asserted (lines k) a false) (asserted (lines k) a false) | _ => Error "" end
  | _ => Error ""
  end.
Lemma o_twin : ~ sound (broken_o 0%N). Proof. broken (broken_o 0%N) (@None id) [Says 12%positive false]. Qed.

(* n: the second case begins a little later *)
Definition broken_n (u : id) (k : knowledge) := let* d := definition_at (lines k) u in
  let y := unknown_poly u in
  match d with
  | DNegative p => Ok (Cases [Zero (sub p y); AtLeast (shift (-1) (scale (-1) p))] [Zero y; AtLeast (shift (-2) p)])
  | _ => Error ""
  end.
Lemma n_twin : ~ sound (broken_n 5%positive). Proof. broken (broken_n 5%positive) (@None id) (@nil hypothesis). Qed.

(* n: a choice, the wrong way round *)
Definition broken_n_choice (u : id) (k : knowledge) := let* d := definition_at (lines k) u in
  let y := unknown_poly u in
  match d with DChoice f p => Ok (Cases [Zero (sub y p); Says f false] [Zero y; Says f true]) | _ => Error "" end.
Lemma n_twin_choice : ~ sound (broken_n_choice 6%positive).
Proof. broken (broken_n_choice 6%positive) (@None id) (@nil hypothesis). Qed.

(* .: 0 >= 0 is impossible *)
Definition broken_dot (h : N) (k : knowledge) := let* p := inequality_at k h in
  let* _ := check (match terms p with [] => constant p <=? 0 | _ => false end) "" in Ok Closed.
Lemma dot_twin : ~ sound (broken_dot 0%N). Proof. broken (broken_dot 0%N) (@None id) [AtLeast (number_poly 0)]. Qed.

(* x: a formula twice *)
Definition broken_x (h i : N) (k : knowledge) := let* y := at_ k h in let* z := at_ k i in
  match y, z with Says m _, Says n _ => let* _ := check (Pos.eqb m n) "" in Ok Closed | _, _ => Error "" end.
Lemma x_twin : ~ sound (broken_x 0%N 1%N). Proof. broken (broken_x 0%N 1%N) (@None id) [Says 10%positive true; Says 10%positive true]. Qed.

(* and the checker's own steps conclude something in this world, so that "sound" is not true of them for want of a case *)
Lemma steps_conclude : exists o, step_l [(number_poly 1, 0%N)] (knows [] None [AtLeast x]) = Ok o /\ justified v V o.
Proof. eexists. split; [vm_compute; reflexivity|]. simpl. vm_compute. congruence. Qed.
