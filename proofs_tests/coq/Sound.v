(* What the checker accepts is true. Each step has a lemma "LETTER_sound"; the theorem "accepted_follows" is at the end. *)
From Coq Require Import ZArith List String Lia Bool FMapPositive.
Require Import Meaning Print Results Read Polynomials Checker Lines.
Import ListNotations.
Open Scope list_scope.
Open Scope Z_scope.

(* -- what a hypothesis says, and an outcome -- *)

Definition holds (v : id -> value) (V : id -> Z) (h : hypothesis) : Prop :=
  match h with AtLeast p => eval V p >= 0 | Zero p => eval V p = 0 | Says f yes => truth v f = yes end.

(* What a step may conclude: a hypothesis that holds; two cases, of which one holds; that nothing can be so. *)
Definition justified v V (o : outcome) : Prop :=
  match o with
  | Learn h => holds v V h
  | Cases now later => Forall (holds v V) now \/ Forall (holds v V) later
  | Closed => False
  end.

(* The facts hold, the goal does not, and all hypotheses hold: what a step may rely on. *)
Record context (env : environment) (n : id) (v : id -> value) (V : id -> Z) (k : knowledge) : Prop := {
  the_table : good env n v V (lines k);
  the_facts : forall f, Table.mem f (listed k) = true -> truth v f = true;
  the_goal : forall g, denied k = Some g -> truth v g = false;
  the_hypotheses : forall h x, Table.find h (hypotheses k) = Some x -> holds v V x;
}.

Definition sound (step : knowledge -> result outcome) : Prop :=
  forall env n v V k o, context env n v V k -> step k = Ok o -> justified v V o.

(* -- formulas as hypotheses -- *)

Lemma opposite_compare sign a b : compare (opposite sign) a b = negb (compare sign a b).
Proof.
  destruct sign; simpl; rewrite ?negb_involutive; try easy;
  destruct (Z.ltb_spec a b), (Z.leb_spec b a) || destruct (Z.leb_spec a b), (Z.ltb_spec b a); simpl; lia || easy.
Qed.

Lemma asserted_as_holds v V f n yes h : truth v n = formula_value v V n f -> truth v n = yes ->
  Ok (asserted_as f n yes) = Ok h -> holds v V h.
Proof.
  intros says holds_n e. assert (h = asserted_as f n yes) as -> by congruence. clear e. destruct f; simpl; try easy. simpl in says.
  assert (compare (if yes then sign else opposite sign) (eval V d) 0 = true) as c.
  { destruct yes; [|rewrite opposite_compare]; now rewrite <- says, holds_n. }
  clear says. destruct (if yes then sign else opposite sign); simpl in *; rewrite ?eval_shift, ?eval_scale; try easy;
  rewrite ?Z.eqb_eq, ?Z.ltb_lt, ?Z.leb_le in c; lia.
Qed.

Lemma asserted_holds env n v V t f yes h : good env n v V t -> truth v f = yes -> asserted t f yes = Ok h -> holds v V h.
Proof.
  intros g holds_f. unfold asserted. destruct (formula_at t f) as [x|] eqn:there; [|discriminate].
  destruct (good_formula _ _ _ _ _ _ _ g there) as (_ & _ & says).
  destruct x as [| | | | |inner denied| | |]; try now apply asserted_as_holds.
  destruct (formula_at t inner) as [y|] eqn:there_too; [|discriminate].
  destruct (good_formula _ _ _ _ _ _ _ g there_too) as (_ & _ & inner_says).
  apply asserted_as_holds; [easy|]. simpl in says. rewrite <- holds_f, says. now destruct denied, (truth v inner).
Qed.

Lemma at_holds env n v V k h x : context env n v V k -> at_ k h = Ok x -> holds v V x.
Proof.
  intros c. unfold at_. destruct (Table.find _ _) eqn:there; [|discriminate]. intros [= <-].
  now apply (the_hypotheses _ _ _ _ _ c) in there.
Qed.
Lemma inequality_holds env n v V k h p : context env n v V k -> inequality_at k h = Ok p -> eval V p >= 0.
Proof.
  intros c. unfold inequality_at. intros e. unbind. match goal with H : at_ _ _ = Ok ?x |- _ => destruct x; try discriminate;
  apply (at_holds _ _ _ _ _ _ _ c) in H end. now injection e as <-.
Qed.
Lemma equation_holds env n v V k h p : context env n v V k -> equation_at k h = Ok p -> eval V p = 0.
Proof.
  intros c. unfold equation_at. intros e. unbind. match goal with H : at_ _ _ = Ok ?x |- _ => destruct x; try discriminate;
  apply (at_holds _ _ _ _ _ _ _ c) in H end. now injection e as <-.
Qed.
Lemma definition_says env n v V k u d : context env n v V k -> definition_at (lines k) u = Ok d -> defines env v V (V u) d.
Proof.
  intros c. unfold definition_at. destruct (Table.find _ _) eqn:there; [|discriminate]. intros [= <-].
  now apply (good_definition _ _ _ _ _ (the_table _ _ _ _ _ c)) in there.
Qed.
Lemma formula_says env n v V k f x : context env n v V k -> formula_at (lines k) f = Ok x ->
  truth v f = formula_value v V f x.
Proof. intros c there. now apply (good_formula _ _ _ _ _ _ _ (the_table _ _ _ _ _ c)) in there. Qed.

(* What is in the way: everything that the checker looked up is known to hold. *)
Ltac look_up c :=
  unfold learn, two_cases in *; unbind;
  repeat match goal with
  | H : at_ _ _ = Ok _ |- _ => apply (at_holds _ _ _ _ _ _ _ c) in H
  | H : inequality_at _ _ = Ok _ |- _ => apply (inequality_holds _ _ _ _ _ _ _ c) in H
  | H : equation_at _ _ = Ok _ |- _ => apply (equation_holds _ _ _ _ _ _ _ c) in H
  | H : definition_at _ _ = Ok _ |- _ => apply (definition_says _ _ _ _ _ _ _ c) in H
  | H : formula_at _ _ = Ok _ |- _ => apply (formula_says _ _ _ _ _ _ _ c) in H
  | H : modest _ = Ok _ |- _ => apply modest_eq in H; subst
  | H : multiplied _ _ = Ok _ |- _ => apply multiplied_eq in H; subst
  | H : same _ _ = true |- _ => apply same_eq in H; subst
  end; simpl in *.

Ltac each := repeat first [apply Forall_cons | apply Forall_nil].

(* -- the steps -- *)

Lemma u_sound line : sound (step_u line).
Proof.
  intros env n v V k o c. unfold step_u. intros made. look_up c.
  eapply asserted_holds; [apply c| |eassumption]. now apply (the_facts _ _ _ _ _ c).
Qed.

Lemma g_sound : sound step_g.
Proof.
  intros env n v V k o c. unfold step_g. destruct (denied k) eqn:goal; [|discriminate]. intros made. look_up c.
  eapply asserted_holds; [apply c| |eassumption]. now apply (the_goal _ _ _ _ _ c).
Qed.

Lemma a_sound h part : sound (step_a h part).
Proof.
  intros env n v V k o c. unfold step_a. intros made. look_up c. destruct a; try discriminate. look_up c.
  destruct a, yes; try discriminate; destruct part as [|[]]; try discriminate; look_up c;
  (eapply asserted_holds; [apply c| |eassumption]);
  match goal with one : truth v f = _, two : truth v f = _ |- _ => rewrite one in two; symmetry in two end;
  (apply andb_prop in Heqr0 || apply orb_false_elim in Heqr0); easy.
Qed.

(* Of an operator of floats: it is lawful. *)
Lemma floats_lawful env n v V k o : context env n v V k -> is_operation o = true -> lawful_of (floats env) o.
Proof. intros c. apply (good_floats _ _ _ _ _ (the_table _ _ _ _ _ c)). Qed.

Lemma d_of_float env n v V k u which o p m out : context env n v V k -> defines env v V (V u) (DApply o p m) ->
  match range (match gives o with Tint => Ti64 | t => t end) with
  | Some (low, high) => Ok (Learn (AtLeast (if N.eqb which 0 then shift (- low) (unknown_poly u) else shift high (scale (-1) (unknown_poly u)))))
  | None => Error "the unknown's definition does not say so"
  end = Ok out -> justified v V out.
Proof.
  intros c [is_o value] made. destruct (range _) as [[low high]|] eqn:r; [|discriminate]. injection made as <-.
  assert (b := of_its_type _ _ (floats_lawful _ _ _ _ _ _ c is_o) low high (eval V p)
    (match m with None => 0 | Some m => eval V m end) r). simpl in value. rewrite <- value in b.
  destruct (N.eqb which 0); simpl; worth; rewrite ?eval_unknown; lia.
Qed.

Lemma d_sound u which : sound (step_d u which).
Proof.
  intros env n v V k o c. unfold step_d. intros made. look_up c.
  destruct a as [[[low high]|]|p d| | |p| |op p m]; destruct which as [|[[]|[]|]]; try discriminate;
  try (now apply (d_of_float env n v V k u 0 op p m o)); try (now apply (d_of_float env n v V k u 1 op p m o));
  injection made as <-; simpl in *;
  worth; rewrite ?eval_unknown; destruct Heqr as [definite_d value]; try lia;
  rewrite value; assert (0 < d) as positive by lia; assert (b := Z.mod_pos_bound (eval V p) d positive);
  assert (e := Z.div_mod (eval V p) d); lia.
Qed.

Lemma v_sound which q r h : sound (step_v which q r h).
Proof.
  intros env n v V k o c. unfold step_v. intros made. look_up c.
  destruct a as [|?|p m| | | |]; try discriminate. destruct a0 as [| | |p' m'| | |]; try discriminate.
  unbind. destruct (same p p') eqn:e1; [|discriminate]. look_up c. destruct Heqr0 as [_ q_value], Heqr1 as [_ r_value].
  rewrite eval_shift in Heqr2. unfold quotient, remainder in *.
  destruct (Z.eqb_spec (eval V m') 0); [lia|]. rewrite Z.sgn_pos in * by lia. rewrite Z.abs_eq in * by lia.
  rewrite Z.mul_1_l in q_value. assert (0 < eval V m') as positive by lia. assert (b := Z.mod_pos_bound (eval V p') _ positive).
  assert (e := Z.div_mod (eval V p') (eval V m')).
  destruct which as [|[]]; look_up c; worth; rewrite ?eval_unknown, ?q_value, ?r_value; lia.
Qed.

Lemma shown_equal_holds env n v V k p q h x : context env n v V k -> shown_equal k p q h = Ok x -> eval V p = eval V q.
Proof.
  intros c. unfold shown_equal. intros e. destruct h; look_up c; [|easy].
  match goal with H : eval V (cut _ true) = 0 |- _ => apply (proj1 (cut_equation V _)) in H; rewrite eval_sub in H; lia end.
Qed.

Lemma e_sound u w hs : sound (step_e u w hs).
Proof.
  intros env n v V k o c. unfold step_e.
  generalize (match hs with [] => (None, None) | [h] => (h, None) | h :: i :: _ => (h, i) end). intros [h i] made. look_up c.
  worth. rewrite !eval_unknown.
  destruct a, a0; try discriminate; unbind;
  repeat match goal with H : match ?m with None => _ | Some _ => _ end = Ok _ |- _ => destruct m; try discriminate end;
  repeat match goal with H : shown_equal _ _ _ _ = Ok _ |- _ => apply (shown_equal_holds _ _ _ _ _ _ _ _ _ c) in H end;
  simpl in *; repeat match goal with
  | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H; subst
  | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H; subst
  | H : same_operation _ _ = true |- _ => apply same_operation_eq in H; subst
  | H : _ /\ _ = _ |- _ => destruct H as [_ H]; rewrite H
  | H : eval V _ = eval V _ |- _ => rewrite H
  end; lia.
Qed.

Lemma is_shown_holds env n v V k h p : context env n v V k -> is_shown k h p = Ok true -> eval V p >= 0.
Proof.
  intros c. unfold is_shown. destruct h as [h|]; [|discriminate]. destruct (inequality_at k h) as [q|] eqn:there; [|discriminate].
  apply (inequality_holds _ _ _ _ _ _ _ c) in there. intros [= e]. apply same_eq in e. now subst.
Qed.

Lemma the_other_says V second a a' b b' p q other : the_other second a a' b b' = Ok (p, q, other) ->
  let of (m : option polynomial) := match m with None => 0 | Some m => eval V m end in
  if second then (eval V a = eval V other /\ of b = eval V p) /\ (eval V a' = eval V other /\ of b' = eval V q)
  else (eval V a = eval V p /\ of b = eval V other) /\ (eval V a' = eval V q /\ of b' = eval V other).
Proof.
  unfold the_other, check. destruct second, b as [b|], b' as [b'|]; try discriminate.
  - destruct (same a a') eqn:e; [|discriminate]. apply same_eq in e. intros [= <- <- <-]. now subst.
  - destruct (same b b') eqn:e; [|discriminate]. apply same_eq in e. intros [= <- <- <-]. now subst.
  - intros [= <- <- <-]. simpl. now rewrite eval_number.
Qed.

Lemma does_grow_says env n v V k o second other s grows : context env n v V k -> does_grow k o second other s = Ok grows ->
  match growth_of o second with
  | Grows => grows = true | Falls => grows = false
  | By_sign => if grows then 0 <= eval V other else eval V other <= -1
  | Unknown_growth => False
  end.
Proof.
  intros c. unfold does_grow. destruct (growth_of o second); try discriminate; try now intros [= <-].
  destruct (is_shown k s other) as [[]|] eqn:plus; [|..|discriminate].
  - intros [= <-]. apply (is_shown_holds _ _ _ _ _ _ _ c) in plus. lia.
  - destruct (is_shown k s (shift (-1) (scale (-1) other))) as [[]|] eqn:minus; [|discriminate..]. intros [= <-].
    apply (is_shown_holds _ _ _ _ _ _ _ c) in minus. revert minus. worth. lia.
Qed.

Lemma f_sound which u w h s m : sound (step_f which u w h s m).
Proof.
  intros env n v V k out c. unfold step_f, check. intros made.
  destruct (definition_at (lines k) u) as [du|] eqn:at_u; [|discriminate].
  destruct (definition_at (lines k) w) as [dw|] eqn:at_w; [|discriminate].
  apply (definition_says _ _ _ _ _ _ _ c) in at_u. apply (definition_says _ _ _ _ _ _ _ c) in at_w.
  destruct du as [| | | | | |o a b]; try discriminate. destruct dw as [| | | | | |o' a' b']; try discriminate.
  destruct (same_operation o o') eqn:same_o; [|discriminate]. apply same_operation_eq in same_o as <-.
  destruct (N.ltb which 2); [|discriminate]. generalize dependent (N.eqb which 1). intros second made.
  destruct (the_other second a a' b b') as [[[p q] other]|] eqn:others; [|discriminate].
  destruct (does_grow k o second other s) as [grows|] eqn:growing; [|discriminate].
  destruct (is_shown k h _) as [[]|] eqn:ordered; [|discriminate..].
  destruct (match spoils o with Never => _ | By_result => _ | By_argument => _ end) as [[]|] eqn:number; [|discriminate..].
  injection made as <-. simpl. worth. rewrite !eval_unknown.
  destruct at_u as [is_o u_value], at_w as [_ w_value]. simpl in u_value, w_value.
  apply (the_other_says V) in others. simpl in others.
  apply (does_grow_says _ _ _ _ _ _ _ _ _ _ c) in growing. apply (is_shown_holds _ _ _ _ _ _ _ c) in ordered.
  assert (law := in_order _ _ (floats_lawful _ _ _ _ _ _ c is_o) second grows (eval V p) (eval V q) (eval V other) growing).
  simpl in law. enough (V u <= V w) by lia.
  assert (V u = if second then floats env o (eval V other) (eval V p) else floats env o (eval V p) (eval V other)) as u_is
    by (rewrite u_value; destruct second; destruct others as [[-> ->] _]; reflexivity).
  assert (V w = if second then floats env o (eval V other) (eval V q) else floats env o (eval V q) (eval V other)) as w_is
    by (rewrite w_value; destruct second; destruct others as [_ [-> ->]]; reflexivity).
  rewrite <- u_is, <- w_is in law. apply law.
  - destruct grows; revert ordered; worth; lia.
  - destruct (spoils o); [easy|..]; apply (is_shown_holds _ _ _ _ _ _ _ c) in number; revert number; worth; rewrite ?eval_unknown; lia.
Qed.

Lemma shown_within_holds env n v V k t p e upper lower : context env n v V k -> shown_within k t p e upper lower = Ok true ->
  is_size t e = true /\ within t e (eval V p).
Proof.
  intros c. unfold shown_within. destruct (is_size t e); [|discriminate].
  destruct (is_shown k upper _) as [[]|] eqn:up; [|discriminate..]. intros low.
  apply (is_shown_holds _ _ _ _ _ _ _ c) in up. apply (is_shown_holds _ _ _ _ _ _ _ c) in low.
  split; [easy|]. unfold within. revert up low. worth. lia.
Qed.
Lemma shown_beyond_holds env n v V k t p e h number : context env n v V k -> shown_beyond k t p e h number = Ok true ->
  is_size t e = true /\ beyond t e (eval V p).
Proof.
  intros c. unfold shown_beyond, beyond. destruct (is_size t e); [|discriminate].
  destruct (is_shown k h _) as [[]|] eqn:below; [|..|discriminate].
  - intros _. apply (is_shown_holds _ _ _ _ _ _ _ c) in below. split; [easy|]. revert below. worth. lia.
  - destruct (is_shown k h (shift (- power t e) p)) as [[]|] eqn:above; [|discriminate..]. intros is_number.
    apply (is_shown_holds _ _ _ _ _ _ _ c) in above. apply (is_shown_holds _ _ _ _ _ _ _ c) in is_number.
    split; [easy|]. revert above is_number. worth. lia.
Qed.

Lemma r_sound which u e f h i l m : sound (step_r which u e f h i l m).
Proof.
  intros env n v V k out c. unfold step_r, check. intros made.
  destruct (definition_at (lines k) u) as [d|] eqn:at_u; [|discriminate]. apply (definition_says _ _ _ _ _ _ _ c) in at_u.
  destruct d as [| | | | | |o p q]; try discriminate. destruct (N.ltb which 2); [|discriminate].
  destruct at_u as [is_o u_value]. simpl in u_value. assert (law := floats_lawful _ _ _ _ _ _ c is_o).
  match type of made with match ?first with Ok _ => _ | Error _ => _ end = _ => destruct first as [one|] eqn:first_is; [|discriminate] end.
  match type of made with match ?second with Ok _ => _ | Error _ => _ end = _ => destruct second as [two|] eqn:second_is; [|discriminate] end.
  destruct two; [|discriminate]. destruct (size_of o e _) as [size|] eqn:sized; [|discriminate].
  assert (one = true) as -> by (destruct q, one, (takes_two o); easy).
  assert (within (gives o) size (V u)) as fits.
  { rewrite u_value. destruct (is_of_whole o && (e =? 64) && match h with None => true | _ => false end)%bool eqn:is_free.
    - apply andb_prop in is_free as [is_free _]. apply andb_prop in is_free as [whole e_is]. apply Z.eqb_eq in e_is as ->.
      unfold is_of_whole in whole. assert (does o = Fof Tint) as is_whole by (destruct (does o) as [| | | | | | | | | | |[]]; easy).
      apply (whole_in_size _ _ law); [easy|]. revert sized. unfold takes_two, size_of. now rewrite is_whole.
    - apply (shown_within_holds _ _ _ _ _ _ _ _ _ _ c) in first_is as [e_size p_within].
      eapply (in_size _ _ law); [exact sized|exact e_size|exact p_within|]. intros two. rewrite two in *.
      destruct q as [q|]; [|discriminate].
      destruct (does o); try (now apply (shown_within_holds _ _ _ _ _ _ _ _ _ _ c) in second_is);
      now apply (shown_beyond_holds _ _ _ _ _ _ _ _ _ _ c) in second_is. }
  injection made as <-. unfold within in fits. destruct (N.eqb which 0); simpl; worth; rewrite eval_unknown; lia.
Qed.

Lemma sum_of_holds env n v V k : context env n v V k -> forall parts sum is_equal out out_equal,
  sum_of k parts sum is_equal = Ok (out, out_equal) ->
  (if is_equal then eval V sum = 0 else eval V sum >= 0) -> if out_equal then eval V out = 0 else eval V out >= 0.
Proof.
  intros c. induction parts as [|[m h] parts IH]; intros sum is_equal out out_equal; cbn [sum_of].
  { now intros [= <- <-]. }
  intros made before. unbind. look_up c. destruct a as [p|p|]; [| |discriminate]; simpl in Heqr.
  - destruct (terms m) eqn:shape; [|discriminate]. destruct (Z.leb_spec 0 (constant m)); [|discriminate].
    eapply IH; [eassumption|]. simpl. rewrite eval_combine.
    assert (0 <= constant m * eval V p) by (apply Z.mul_nonneg_nonneg; lia). destruct is_equal; lia.
  - destruct (terms m) eqn:shape; look_up c; (eapply IH; [eassumption|]); worth; rewrite Heqr, Z.mul_0_r; now destruct is_equal.
Qed.

Lemma l_sound parts : sound (step_l parts).
Proof.
  intros env n v V k o c. unfold step_l. intros made. look_up c.
  apply (sum_of_holds _ _ _ _ _ c) in Heqr; [|apply eval_number].
  destruct b; [now apply (proj2 (cut_equation V p))|now apply cut_inequality].
Qed.

Lemma m_sound h i : sound (step_m h i).
Proof. intros env n v V k o c. unfold step_m. intros made. look_up c. rewrite eval_multiply. nia. Qed.

Lemma s_sound p : sound (step_s p).
Proof. intros env n v V k o c. unfold step_s. intros made. look_up c. rewrite eval_multiply. nia. Qed.

Lemma q_sound h i : sound (step_q h i).
Proof. intros env n v V k o c. unfold step_q. intros made. look_up c. rewrite eval_scale in *. lia. Qed.

Lemma k_sound p : sound (step_k p).
Proof.
  intros env n v V k o c. unfold step_k. intros [= <-]. simpl.
  destruct (Z_ge_lt_dec (eval V p) 0); [right|left]; each; simpl; [easy|]. worth. lia.
Qed.

Lemma o_sound h : sound (step_o h).
Proof.
  intros env n v V k o c. unfold step_o. intros made. look_up c. destruct a as [| |f yes]; try discriminate.
  look_up c. assert (g := the_table _ _ _ _ _ c). rewrite Heqr in Heqr0. symmetry in Heqr0.
  destruct a as [| |sign d|f1 f2|f1 f2|f1 ?|f1 f2|f1 f2 f3|]; try discriminate.
  - assert (eval V d <> 0).
    { destruct sign, yes; try discriminate; simpl in Heqr0; apply Z.eqb_neq; [easy|].
      now rewrite <- negb_true_iff. }
    assert (o = Cases [AtLeast (shift (-1) d)] [AtLeast (shift (-1) (scale (-1) d))]) as ->
      by (destruct sign, yes; congruence).
    destruct (Z_ge_lt_dec (eval V d) 1); [left|right]; each; simpl; worth; lia.
  - destruct yes; [discriminate|]. look_up c. destruct (truth v f1) eqn:first; [right|left];
      each; (eapply asserted_holds; [eassumption| |eassumption]); simpl in *; congruence.
  - destruct yes; [|discriminate]. look_up c. destruct (truth v f1) eqn:first; [left|right];
      each; (eapply asserted_holds; [eassumption| |eassumption]); simpl in *; congruence.
  - look_up c. destruct (truth v f1) eqn:first; [left|right];
      each; (eapply asserted_holds; [eassumption| |eassumption]); try easy;
      destruct (truth v f2), (truth v f); simpl in *; easy.
  - look_up c. destruct (truth v f1) eqn:first; [left|right];
      each; (eapply asserted_holds; [eassumption| |eassumption]); simpl in *; congruence.
Qed.

Lemma n_sound u : sound (step_n u).
Proof.
  intros env n v V k o c. unfold step_n. intros made. look_up c. assert (g := the_table _ _ _ _ _ c).
  destruct a as [| | | |p|f p|]; try discriminate; look_up c; destruct Heqr as [_ value].
  - destruct (Z_ge_lt_dec (eval V p) 0); [right|left]; each; simpl; worth; rewrite ?eval_unknown; lia.
  - destruct (truth v f) eqn:says; [left|right]; each; try (eapply asserted_holds; eassumption);
      simpl; worth; rewrite ?eval_unknown; lia.
Qed.

Lemma dot_sound h : sound (step_dot h).
Proof.
  intros env n v V k o c. unfold step_dot. intros made. look_up c. destruct a as [p|p|f yes]; look_up c.
  - unfold eval in Heqr. destruct (terms p); [|discriminate]. simpl in *. lia.
  - destruct (content_total V p) as [m e]. unfold eval in Heqr. rewrite e in Heqr.
    destruct (Z.eqb_spec (content p) 0) as [zero|nonzero]; apply negb_true_iff, Z.eqb_neq in Heqr0.
    + rewrite zero in *. lia.
    + apply Heqr0. replace (constant p) with (- m * content p) by lia. now apply Z.mod_mul.
  - destruct a, yes; simpl in *; congruence.
Qed.

Lemma x_sound h i : sound (step_x h i).
Proof.
  intros env n v V k o c. unfold step_x. intros made. look_up c.
  destruct a as [| |f yes]; try discriminate. destruct a0 as [| |f' no]; try discriminate. look_up c.
  subst. destruct (Pos.eqb_spec f f') as [->|]; [|discriminate].
  match goal with H : xorb _ _ = true |- _ => now rewrite xorb_nilpotent in H end.
Qed.

Theorem step_sound s : sound (consider s).
Proof.
  destruct s; simpl; auto using u_sound, g_sound, a_sound, d_sound, v_sound, e_sound, f_sound, r_sound, l_sound, m_sound, s_sound, q_sound,
    k_sound, o_sound, n_sound, dot_sound, x_sound.
Qed.

(* -- a certificate -- *)

Definition all_hold v V (s : stack) : Prop := forall h x, Table.find h (snd s) = Some x -> holds v V x.

Lemma push_holds v V s h : all_hold v V s -> holds v V h -> all_hold v V (push s h).
Proof.
  intros all one k x. unfold push. simpl. destruct (Pos.eq_dec k (fst s)) as [->|other].
  - rewrite PositiveMap.gss. now intros [= <-].
  - rewrite PositiveMap.gso by easy. apply all.
Qed.
Lemma push_all v V hs : forall s, all_hold v V s -> Forall (holds v V) hs -> all_hold v V (fold_left push hs s).
Proof.
  induction hs as [|h hs IH]; intros s all more; [easy|]. inversion more; subst. simpl. apply IH; [|easy].
  now apply push_holds.
Qed.

(* An accepted proof leaves no case: neither the one that is open nor those that were put off. *)
Lemma run_sound env n v V t facts goal : good env n v V t ->
  (forall f, Table.mem f facts = true -> truth v f = true) -> (forall g, goal = Some g -> truth v g = false) ->
  forall steps place s frames, run t facts goal steps place s frames = Accepted ->
  ~ all_hold v V s /\ forall s' later, In (s', later) frames -> all_hold v V s' -> ~ Forall (holds v V) later.
Proof.
  intros g all_facts no_goal. induction steps as [|[here step] steps IH]; intros place s frames; cbn [run]; [discriminate|].
  destruct (consider step _) as [o|] eqn:considered; [|discriminate]. intros accepted.
  assert (all_hold v V s -> justified v V o) as why.
  { intros all. eapply (step_sound step env n v V); [|exact considered].
    now split. }
  destruct o as [h|now_ later|].
  - apply IH in accepted as [refuted others]. split; [|easy]. intros all. now apply refuted, push_holds, why.
  - apply IH in accepted as [refuted others]. split.
    + intros all. destruct (why all) as [first|second]; [now apply refuted, push_all|].
      eapply others; [now left|exact all|exact second].
    + intros s' later' there. apply others. now right.
  - split; [exact why|]. destruct frames as [|[s1 later1] frames].
    + destruct steps as [|[? ?] ?]; [easy|discriminate].
    + apply IH in accepted as [refuted others]. intros s' later [[= <- <-]|there] all; [|now apply (others s' later)].
      intros second. now apply refuted, push_all.
Qed.

Lemma set_of_in ns : forall f, Table.mem f (set_of ns) = true -> In f ns.
Proof.
  intros f. unfold set_of. assert (forall ns set, Table.mem f (fold_left (fun set n => Table.add n tt set) ns set) = true ->
    In f ns \/ Table.mem f set = true) as all.
  { clear ns. induction ns as [|n ns IH]; intros set there; simpl in *; [auto|]. apply IH in there as [there|there]; [auto|].
    rewrite PositiveMap.mem_find in *. destruct (Pos.eq_dec f n) as [->|other]; [auto|]. rewrite PositiveMap.gso in there; auto. }
  intros there. apply all in there as [|there]; [easy|]. rewrite PositiveMap.mem_find, PositiveMap.gempty in there. easy.
Qed.

Theorem certificate_sound env n v V t c : good env n v V t -> judge_certificate t c = Accepted ->
  (forall f, In f (facts (claimed c)) -> truth v f = true) ->
  dead (claimed c) = false /\ forall g, goal (claimed c) = Some g -> truth v g = true.
Proof.
  intros table_good accepted all_facts. unfold judge_certificate in accepted.
  destruct (run _ _ _ _ _ _ _) eqn:ran; [|discriminate]. clear accepted. rename ran into accepted.
  assert ((forall g, (if dead (claimed c) then None else goal (claimed c)) = Some g -> truth v g = false) -> False) as refuted.
  { intros no_goal. eapply (run_sound env n v V) in accepted as [refuted _]; [|exact table_good| |exact no_goal].
    - apply refuted. intros h x. simpl. now rewrite PositiveMap.gempty.
    - intros f there. apply all_facts. now apply set_of_in. }
  destruct (dead (claimed c)); [now destruct refuted|]. split; [easy|]. intros g is_goal.
  destruct (truth v g) eqn:says; [easy|]. destruct refuted. intros g' is_g'. congruence.
Qed.

(* -- a file -- *)

Lemma read_row_sound env r place x r' v V : good env (next r) v V (known r) -> read_row r place x = Ok r' ->
  match x with
  | Line n l _ => n = next r /\ next r' = Pos.succ n /\
      exists y, good env (Pos.succ n) (put v n (value_of env v n l)) (update V n y) (known r')
  | _ => next r' = next r /\ known r' = known r
  end.
Proof.
  intros g. unfold read_row, read_claim. destruct r as [next t ps [u|] done open ended]; simpl in *; intros made; unbind.
  - destruct x, (goal (current u)); unbind; try discriminate; easy.
  - destruct x; unbind; try discriminate; simpl; try easy.
    match goal with H : Pos.eqb n next = true |- _ => apply Pos.eqb_eq in H as -> end. repeat split.
    now apply (elaborate_sound env next v V t l same).
Qed.

(* What was claimed so far, and what "claims_from" goes on with. *)
Definition claims_read (r : reading) : list claim := rev (map claimed (certificates_back r)).
Definition claim_open (r : reading) (c : claim) : Prop := match started r with Some u => current u = c | None => True end.

Lemma read_row_claims r place x r' c : read_row r place x = Ok r' -> claim_open r c ->
  exists c', claim_open r' c' /\
    forall rest, claims_read r ++ claims_from c (x :: rest) = claims_read r' ++ claims_from c' rest.
Proof.
  unfold read_row, read_claim, claims_read, claim_open. destruct r as [next t ps [u|] done open ended]; simpl; intros made is_open; unbind.
  - subst c. destruct x; destruct (goal (current u)) eqn:is_goal; unbind; try discriminate; simpl;
      try (eexists; split; [reflexivity|]; intros; reflexivity).
    exists (current u). split; [easy|]. intros. now rewrite <- app_assoc.
  - destruct x; unbind; try discriminate; simpl; eexists; (split; [reflexivity || exact I|]; intros; reflexivity).
Qed.

Lemma read_row_goals r place x r' : read_row r place x = Ok r' ->
  (forall c, In c (certificates_back r) -> goal (claimed c) <> None) ->
  forall c, In c (certificates_back r') -> goal (claimed c) <> None.
Proof.
  unfold read_row, read_claim. destruct r as [next t ps [u|] done open ended]; simpl; intros made before; unbind.
  - destruct x; destruct (goal (current u)) eqn:is_goal; unbind; try discriminate; simpl; try easy.
    intros c [<-|there]; simpl; [congruence|auto].
  - destruct x; unbind; try discriminate; simpl; easy.
Qed.

Section Files.
Variable words_of : string -> list string.

Lemma read_from_sound lines : forall r place c r', claim_open r c -> read_from words_of r place lines = inl r' ->
  exists rows, is_file (map words_of lines) rows /\
  (forall env v V, good env (next r) v V (known r) -> exists V', good env (next r') (meaning_from env v rows) V' (known r')) /\
  claims_read r ++ claims_from c rows = claims_read r' /\
  ((forall c, In c (certificates_back r) -> goal (claimed c) <> None) ->
   forall c, In c (certificates_back r') -> goal (claimed c) <> None).
Proof.
  induction lines as [|line lines IH]; intros r place c r' is_open; cbn [read_from map].
  { destruct (ended r); [|discriminate]. intros [= <-]. exists []. simpl. rewrite app_nil_r. eauto. }
  destruct (words_of line) as [|word words]; [intros rest; now apply (IH _ _ _ _ is_open) in rest|].
  destruct (row_of_words (word :: words)) as [x|] eqn:read; [|discriminate]. destruct (read_row r place x) as [r1|] eqn:made; [|discriminate].
  intros rest. apply row_of_written in read.
  destruct (read_row_claims _ _ _ _ c made is_open) as (c' & is_open' & claims_same).
  destruct (IH _ _ _ _ is_open' rest) as (rows & said & means & same & goals).
  exists (x :: rows). split; [easy|]. split; [|split].
  - intros env v V g. apply (read_row_sound env _ _ _ _ v V g) in made. destruct x; simpl in *;
      try (destruct made as [n_same t_same]; rewrite <- n_same, <- t_same in g; exact (means _ _ _ g)).
    destruct made as (-> & n_next & y & g'). rewrite <- n_next in g'. exact (means _ _ _ g').
  - now rewrite claims_same.
  - intros before. now apply goals, (read_row_goals _ _ _ _ made).
Qed.
End Files.

(* The theorem: of a file that can be read, as the rows that it is written from, every certificate that is accepted proves what it
   claims: the goal follows from the facts, whatever the values of the unknowns. "words_of", which splits lines, may be anything. *)
Theorem accepted_follows words_of lines r : read words_of lines = inl r ->
  exists first rest rows, lines = first :: rest /\ is_file (map words_of rest) rows /\
  Forall2 (fun verdict claim => says verdict = Accepted -> follows rows claim) (judge r) (claims rows).
Proof.
  unfold read. destruct lines as [|first rest]; [discriminate|]. destruct (String.eqb first header); [|discriminate]. intros read.
  destruct (read_from_sound words_of rest nothing_read _ (Claim [] None false) _ I read) as (rows & file & means & same & has_goals).
  exists first, rest, rows. split; [easy|]. split; [exact file|].
  assert (forall env, lawful env -> exists V, good env (next r) (meaning env rows) V (known r)) as all.
  { intros env law. apply (means env _ (fun _ => 0)). split; simpl; [..|exact law]; intros k x; now rewrite PositiveMap.gempty. }
  assert (forall c, In c (certificates_back r) -> goal (claimed c) <> None) as goals by (now apply has_goals).
  unfold claims. simpl in same. rewrite same. unfold claims_read, judge. clear same has_goals means read file.
  assert (forall certificates (done : list judged) (claims : list claim), (forall c, In c certificates -> goal (claimed c) <> None) ->
    Forall2 (fun verdict claim => says verdict = Accepted -> follows rows claim) done claims ->
    Forall2 (fun verdict claim => says verdict = Accepted -> follows rows claim)
      (fold_left (fun done c => {| head := place c; is_dead := dead (claimed c); says := judge_certificate (known r) c |} :: done)
         certificates done) (rev (map claimed certificates) ++ claims)) as each_one.
  { clear goals. induction certificates as [|c cs IH]; intros done claims goals before; simpl; [exact before|].
    rewrite <- app_assoc. simpl. apply IH; [auto with datatypes|]. constructor; [|exact before]. simpl.
    intros accepted env law v all_facts. destruct (all env law) as (V & table_good).
    destruct (certificate_sound env _ _ _ _ _ table_good accepted all_facts) as [alive holds]. split; [easy|].
    destruct (goal (claimed c)) as [g|] eqn:is_goal; [|now destruct (goals c); [now left|]]. eauto. }
  specialize (each_one _ [] [] goals). rewrite app_nil_r in each_one. apply each_one. constructor.
Qed.

Lemma count_all (l : list judged) : count is_accepted l = count (fun _ => true) l -> Forall (fun j => says j = Accepted) l.
Proof.
  unfold count. intros equal.
  assert (forall (l : list judged) m n, (m <= n)%N -> let c (which : judged -> bool) k := fold_left (fun k x => if which x then N.succ k else k) l k in
    (c is_accepted m <= c (fun _ : judged => true) n)%N /\
    (c is_accepted m = c (fun _ : judged => true) n -> m = n /\ Forall (fun j => says j = Accepted) l)) as all.
  { clear. induction l as [|j l IH]; intros m n less; simpl; [auto|].
    destruct (is_accepted j) eqn:fine.
    - destruct (IH (N.succ m) (N.succ n)) as [a b]; [lia|]. split; [exact a|]. intros e. apply b in e as [e each]. split; [lia|].
      constructor; [|exact each]. unfold is_accepted in fine. now destruct (says j).
    - destruct (IH m (N.succ n)) as [a b]; [lia|]. split; [exact a|]. intros e. apply b in e as [e each]. lia. }
  now apply (all l 0%N 0%N).
Qed.

(* Status 0: there are claims, and all of them follow. *)
Corollary proved_follows words_of lines r : read words_of lines = inl r -> is_proved (sum_up r (judge r)) = true ->
  exists first rest rows, lines = first :: rest /\ is_file (map words_of rest) rows /\
  claims rows <> [] /\ forall c, In c (claims rows) -> follows rows c.
Proof.
  intros read proved. destruct (accepted_follows _ _ _ read) as (first & rest & rows & is_lines & file & each_one).
  unfold is_proved, sum_up in proved. simpl in proved. apply andb_prop in proved as [proved _]. apply andb_prop in proved as [some all].
  apply N.eqb_eq in all. assert (each_accepted := count_all _ all).
  exists first, rest, rows. split; [exact is_lines|]. split; [exact file|]. split.
  - intros none. rewrite none in each_one. inversion each_one as [empty|]. rewrite <- empty in some. discriminate.
  - intros c there. clear all some. induction each_one as [|j claim js cs one others IH]; [easy|].
    inversion each_accepted; subst. destruct there as [<-|there]; auto.
Qed.

Print Assumptions accepted_follows.
Print Assumptions proved_follows.
