(* The table says of each line what Meaning.v says: whatever the values of the unknowns that a file mentions, there are values
   of all unknowns of the table that fit their definitions, and with them each term's polynomial is worth what the term is. *)
From Coq Require Import ZArith List Lia Bool FMapPositive.
Require Import Meaning Results Polynomials Checker.
Import ListNotations.
Open Scope Z_scope.

Ltac unbind := (* c = Ok x, of a chain of "let*": all of its links were Ok *)
  repeat match goal with
  | H : match ?c with Ok _ => _ | Error _ => _ end = Ok _ |- _ => destruct c eqn:?; [|discriminate H]
  | H : Ok _ = Ok _ |- _ => injection H as H; try subst
  | H : (let '(_, _) := ?p in _) = Ok _ |- _ => destruct p eqn:?
  | H : Error _ = Ok _ |- _ => discriminate H
  | H : check ?b _ = Ok _ |- _ => unfold check in H; destruct b eqn:?; [|discriminate H]; clear H
  end.

(* -- what lines say, by the table -- *)

Definition formula_value (v : id -> value) (V : id -> Z) (n : id) (f : formula) : bool :=
  match f with
  | FTrue => true
  | FFalse => false
  | FCompare sign d => compare sign (eval V d) 0
  | FAnd f g => truth v f && truth v g
  | FOr f g => truth v f || truth v g
  | FNot f denied => xorb denied (truth v f)
  | FIff f g => eqb (truth v f) (truth v g)
  | FCond f g h => if truth v f then truth v g else truth v h
  | FAtom => truth v n
  end.

Definition definite (d : definition) : Prop :=
  match d with DRange _ => False | DQuotient _ d => 1 <= d | DApply o _ _ => is_operation o = true | _ => True end.
Definition definition_value (env : environment) (v : id -> value) (V : id -> Z) (d : definition) : Z :=
  match d with
  | DRange _ => 0
  | DQuotient p d => eval V p / d
  | DRatio p m => quotient env (eval V p) (eval V m)
  | DRest p m => remainder env (eval V p) (eval V m)
  | DNegative p => Z.min (eval V p) 0
  | DChoice f p => if truth v f then eval V p else 0
  | DApply o p m => floats env o (eval V p) (match m with None => 0 | Some m => eval V m end)
  end.
Definition defines env v V (x : Z) (d : definition) : Prop :=
  match d with
  | DRange None => True
  | DRange (Some (low, high)) => low <= x <= high
  | _ => definite d /\ x = definition_value env v V d
  end.

Definition below (n : id) (k : id) : Prop := (k < n)%positive.
Definition formula_below (n : id) (f : formula) : Prop :=
  match f with
  | FCompare _ d => fresh n d
  | FAnd f g | FOr f g | FIff f g => below n f /\ below n g
  | FNot f _ => below n f
  | FCond f g h => below n f /\ below n g /\ below n h
  | _ => True
  end.
Definition definition_below (n : id) (d : definition) : Prop :=
  match d with
  | DRange _ => True
  | DQuotient p _ | DNegative p => fresh n p
  | DRatio p m | DRest p m => fresh n p /\ fresh n m
  | DChoice f p => below n f /\ fresh n p
  | DApply _ p m => fresh n p /\ match m with None => True | Some m => fresh n m end
  end.

Definition entry_good (n : id) v V (k : id) (e : entry) : Prop :=
  match e with
  | Term p => fresh n p /\ v k = Number (eval V p)
  | Known f => formula_below n f /\ v k = Truth (formula_value v V k f)
  end.

(* The table of the lines before n is right: v has the values of lines, V those of unknowns. *)
Record good (env : environment) (n : id) (v : id -> value) (V : id -> Z) (t : table) : Prop := {
  good_entry : forall k e, Table.find k (entries t) = Some e -> below n k /\ entry_good n v V k e;
  good_definition : forall u d, Table.find u (definitions t) = Some d ->
    below n u /\ definition_below n d /\ defines env v V (V u) d;
  good_floats : lawful env;
}.

Lemma good_term env n v V t k p : good env n v V t -> term_at t k = Ok p -> fresh n p /\ number v k = eval V p.
Proof.
  intros g. unfold term_at. destruct (Table.find k (entries t)) as [[q|]|] eqn:there; try easy. intros [= ->].
  destruct (good_entry _ _ _ _ _ g _ _ there) as [_ [f e]]. unfold number. now rewrite e.
Qed.
Lemma good_formula env n v V t k f : good env n v V t -> formula_at t k = Ok f ->
  below n k /\ formula_below n f /\ truth v k = formula_value v V k f.
Proof.
  intros g. unfold formula_at. destruct (Table.find k (entries t)) as [[|q]|] eqn:there; try easy. intros [= ->].
  destruct (good_entry _ _ _ _ _ g _ _ there) as [b [c e]]. repeat split; try easy. unfold truth at 1. now rewrite e.
Qed.

(* -- one line more -- *)

Definition update (V : id -> Z) (n : id) (x : Z) : id -> Z := fun k => if Pos.eqb k n then x else V k.

Section More.
Variables (env : environment) (n : id) (v w : id -> value) (V W : id -> Z) (t : table).
Hypothesis v_w : forall k, below n k -> w k = v k.
Hypothesis V_W : forall k, below n k -> W k = V k.

Lemma fresh_same p : fresh n p -> eval W p = eval V p. Proof. intros f. now apply f. Qed.
Lemma truth_same k : below n k -> truth w k = truth v k. Proof. intros less. unfold truth. now rewrite v_w. Qed.

Lemma formula_value_same k f : below n k -> formula_below n f -> formula_value w W k f = formula_value v V k f.
Proof. intros less fb. destruct f; simpl in *; rewrite ?fresh_same, ?truth_same by easy; try easy. Qed.
Lemma definition_value_same d : definition_below n d -> definition_value env w W d = definition_value env v V d.
Proof.
  intros db. destruct d as [| | | | | |o p m]; simpl in *; rewrite ?fresh_same, ?truth_same by easy; try easy.
  destruct m; [now rewrite fresh_same|easy].
Qed.
Lemma defines_same x d : definition_below n d -> defines env v V x d -> defines env w W x d.
Proof. intros db. unfold defines. rewrite definition_value_same by easy. easy. Qed.

Lemma formula_below_more f : formula_below n f -> formula_below (Pos.succ n) f.
Proof. unfold below. destruct f; simpl; unfold below; try easy; try lia. apply fresh_more. lia. Qed.
Lemma definition_below_more d : definition_below n d -> definition_below (Pos.succ n) d.
Proof.
  destruct d as [| | | | | |o p m]; simpl; unfold below; try easy; intros; [..|destruct m]; intuition; try lia;
  (eapply fresh_more; [|eassumption]; lia).
Qed.

Lemma good_more : good env n v V t -> good env (Pos.succ n) w W t.
Proof.
  intros [ge gd law]. split; [..|exact law].
  - intros k e there. destruct (ge _ _ there) as [less fine]. unfold below in *. split; [lia|].
    destruct e; simpl in *; destruct fine as [b x]; rewrite v_w, x by easy.
    + split; [eapply fresh_more; [|eassumption]; lia|]. now rewrite fresh_same.
    + split; [now apply formula_below_more|]. now rewrite formula_value_same.
  - intros u d there. destruct (gd _ _ there) as (less & b & x). unfold below in *. repeat split; [lia| |].
    + now apply definition_below_more.
    + rewrite V_W by easy. now apply defines_same.
Qed.
End More.

Lemma good_added env n v V t a : good env n v V t ->
  (forall e, fst a = Some e -> entry_good n v V (Pos.pred n) e) ->
  (forall d, snd a = Some d -> definition_below n d /\ defines env v V (V (Pos.pred n)) d) ->
  (1 < n)%positive -> good env n v V (added t (Pos.pred n) a).
Proof.
  intros [ge gd law] fine_e fine_d big. destruct a as [e d]. simpl in *. split; simpl; [..|exact law].
  - intros k x. destruct e as [e|]; [|auto]. destruct (Pos.eq_dec k (Pos.pred n)) as [->|other].
    + rewrite PositiveMap.gss. intros [= <-]. split; [unfold below; lia|auto].
    + rewrite PositiveMap.gso by easy. auto.
  - intros k x. destruct d as [d|]; [|auto]. destruct (Pos.eq_dec k (Pos.pred n)) as [->|other].
    + rewrite PositiveMap.gss. intros [= <-]. split; [unfold below; lia|auto].
    + rewrite PositiveMap.gso by easy. auto.
Qed.

Lemma put_here v n x : put v n x n = x. Proof. unfold put. now rewrite Pos.eqb_refl. Qed.
Lemma put_below v n x k : below n k -> put v n x k = v k.
Proof. unfold put, below. destruct (Pos.eqb_spec k n); [subst; lia|easy]. Qed.
Lemma update_here V n x : update V n x n = x. Proof. unfold update. now rewrite Pos.eqb_refl. Qed.
Lemma update_below V n x k : below n k -> update V n x k = V k.
Proof. unfold update, below. destruct (Pos.eqb_spec k n); [subst; lia|easy]. Qed.

(* A line of value x, whose unknown is worth y. *)
Lemma good_line env n v V t x y a : good env n v V t ->
  (forall e, fst a = Some e -> entry_good (Pos.succ n) (put v n x) (update V n y) n e) ->
  (forall d, snd a = Some d -> definition_below n d /\ defines env v V y d) ->
  good env (Pos.succ n) (put v n x) (update V n y) (added t n a).
Proof.
  intros g fine_e fine_d. replace n with (Pos.pred (Pos.succ n)) at 4 by apply Pos.pred_succ.
  apply good_added; rewrite ?Pos.pred_succ; [|easy| |lia].
  - eapply good_more; [| |eassumption]; auto using put_below, update_below.
  - intros d there. destruct (fine_d _ there) as [b fine]. split; [now apply definition_below_more|].
    rewrite update_here. eapply defines_same; [| |eassumption|eassumption]; auto using put_below, update_below.
Qed.

(* -- unknowns that were there -- *)

Lemma same_operation_eq o o' : same_operation o o' = true -> o = o'.
Proof. unfold same_operation. now destruct (operation_eq_dec o o'). Qed.
Lemma same_second_eq m n : same_second m n = true -> m = n.
Proof. destruct m, n; simpl; try easy. intros e. apply same_eq in e. now subst. Qed.
Lemma same_definition_eq a b : same_definition a b = true -> a = b.
Proof.
  destruct a, b; simpl; try easy; intros e;
  repeat match goal with
  | H : (if ?c then _ else false) = true |- _ => destruct c eqn:?; [|discriminate]
  | H : same _ _ = true |- _ => apply same_eq in H
  | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H
  | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H
  | H : same_operation _ _ = true |- _ => apply same_operation_eq in H
  | H : same_second _ _ = true |- _ => apply same_second_eq in H
  end; now subst.
Qed.

(* The line brings an unknown u defined by d, its own or an earlier one. *)
Lemma good_bring env n v V t same d u def x e : good env n v V t -> definite d -> definition_below n d ->
  bring t n same d = Ok (u, def) ->
  (forall W, (forall p, fresh n p -> eval W p = eval V p) -> eval W (unknown_poly u) = definition_value env v V d ->
    fresh (Pos.succ n) (unknown_poly u) ->
    match e with Some (Term p) => fresh (Pos.succ n) p /\ x = Number (eval W p) | Some _ => False | None => True end) ->
  exists y, good env (Pos.succ n) (put v n x) (update V n y) (added t n (e, def)).
Proof.
  intros g is_definite db. unfold bring. intros brought fine. set (y := definition_value env v V d) in *.
  exists y. assert (defines env v V y d) as says by (destruct d; simpl; try easy).
  assert (below (Pos.succ n) u /\ update V n y u = y /\ (def = Some d \/ def = None)) as (less & u_value & which).
  { destruct same as [old|].
    - destruct (Table.find old (definitions t)) as [there|] eqn:find; [|discriminate].
      destruct (same_definition there d) eqn:e'; [|discriminate]. injection brought as <- <-.
      apply same_definition_eq in e' as ->. destruct (good_definition _ _ _ _ _ g _ _ find) as (less & _ & fits).
      unfold below in *. rewrite update_below by easy. repeat split; [lia| |auto].
      destruct d; simpl in *; tauto.
    - injection brought as <- <-. rewrite update_here. unfold below. repeat split; [lia|auto]. }
  apply good_line; [easy| |].
  - simpl. intros e' ->. specialize (fine (update V n y)). rewrite eval_unknown in fine.
    destruct e' as [p|]; simpl in *.
    + rewrite put_here. apply fine; [|easy|now apply fresh_unknown].
      intros q q_fresh. apply q_fresh. intros. now apply update_below.
    + destruct fine; [|easy|now apply fresh_unknown]. intros q q_fresh. apply q_fresh. intros. now apply update_below.
  - simpl. intros d' ->. destruct which as [[= <-]|]; easy.
Qed.

(* -- polynomials as they are written -- *)

Lemma fresh_product t n m V W : (forall u d, Table.find u (definitions t) = Some d -> below n u) ->
  are_unknowns t m = true -> (forall k, below n k -> V k = W k) -> product V m = product W m.
Proof.
  intros all. unfold are_unknowns. intros there equal. induction m as [|u m IH]; [easy|]. simpl in *.
  apply andb_prop in there as [one more]. destruct (Table.find u (definitions t)) eqn:find; [|easy].
  rewrite (equal u) by eauto. f_equal. auto.
Qed.

Lemma tidy_terms_fresh t n V W : (forall u d, Table.find u (definitions t) = Some d -> below n u) ->
  (forall k, below n k -> V k = W k) -> forall ts last done out, tidy_terms t last ts done = Ok out ->
  total V done = total W done -> total V out = total W out.
Proof.
  intros all equal. induction ts as [|[m k] ts IH]; intros last done out; cbn [tidy_terms].
  { intros [= <-] e. rewrite !total_rev_append. simpl. lia. }
  destruct (low_degree 16 m); [|discriminate]. destruct (are_unknowns t m) eqn:there; [|discriminate].
  cbn [negb]. destruct (match last with None => _ | _ => _ end); [|discriminate]. cbn [negb].
  destruct (match times_monomial m [] with [] => _ | _ => _ end); [discriminate|].
  destruct (short k); [|discriminate]. cbn [negb]. intros rest e. eapply IH; [eassumption|].
  cbn [total]. rewrite !product_times. erewrite (fresh_product t n m V W) by eassumption. cbn [product]. lia.
Qed.

Lemma tidy_fresh env n v V t p q : good env n v V t -> tidy t p = Ok q -> fresh n q.
Proof.
  intros g. unfold tidy. destruct (short (constant p)); [|discriminate]. cbn [negb]. intros e. unbind.
  intros X Y equal. unfold eval. cbn [constant terms]. f_equal. eapply tidy_terms_fresh; [|exact equal|eassumption|easy].
  intros u d there. now apply (good_definition _ _ _ _ _ g) in there.
Qed.

(* -- kinds of lines: what they are worth, by the unknowns they bring -- *)

Lemma line_division env a d : d <> 0 ->
  quotient env a d = Z.sgn d * (a / Z.abs d) /\ remainder env a d = - Z.abs d * (a / Z.abs d) + a.
Proof.
  intros nonzero. unfold quotient, remainder. destruct (Z.eqb_spec d 0); [easy|]. split; [easy|].
  rewrite Z.mod_eq by lia. lia.
Qed.
Lemma line_wrap a low high : low <= high -> low + (a - low) mod (high - low + 1) =
  - (high - low + 1) * ((a + - low) / (high - low + 1)) + a.
Proof. intros. replace (a + - low) with (a - low) by lia. rewrite Z.mod_eq by lia. lia. Qed.
Lemma line_mask a m : 0 <= m -> 2 ^ Z.log2 (m + 1) = m + 1 -> Z.land a m = - (m + 1) * (a / (m + 1)) + a.
Proof.
  intros positive power. replace m with (Z.ones (Z.log2 (m + 1))) at 1 by (rewrite Z.ones_equiv; lia).
  rewrite Z.land_ones, power by apply Z.log2_nonneg. rewrite Z.mod_eq by lia. lia.
Qed.
Lemma line_other_mask a m : 0 <= m -> 0 <= Z.land a m <= m.
Proof.
  intros. split; [apply Z.land_nonneg; auto|].
  assert (m - Z.land a m = Z.ldiff m (Z.land a m)) as gap.
  { apply Z.sub_nocarry_ldiff. apply Z.bits_inj'. intros n _. rewrite Z.ldiff_spec, Z.land_spec, Z.bits_0.
    destruct (Z.testbit a n), (Z.testbit m n); reflexivity. }
  assert (0 <= Z.ldiff m (Z.land a m)) by (apply Z.ldiff_nonneg; auto). lia.
Qed.
Lemma range_nonempty t low high : range t = Some (low, high) -> low <= high.
Proof. destruct t; simpl; intros [= <- <-]; lia. Qed.
Lemma line_unknown t a low high : range t = Some (low, high) -> low <= wrap t a <= high.
Proof.
  intros e. unfold wrap. rewrite e. apply range_nonempty in e. assert (0 < high - low + 1) as positive by lia.
  assert (b := Z.mod_pos_bound (a - low) _ positive). lia.
Qed.

Lemma modest_eq p q : modest p = Ok q -> q = p.
Proof.
  unfold modest. destruct (negb _); [discriminate|]. destruct (forallb _ _); [|discriminate].
  destruct (forallb _ _); [|discriminate]. now intros [= ->].
Qed.
Lemma multiplied_eq a b p : multiplied a b = Ok p -> p = multiply a b.
Proof. unfold multiplied. destruct (small_product a b); [|discriminate]. apply modest_eq. Qed.
Lemma divisor_of_some b d V : divisor_of b = Some d -> d <> 0 /\ eval V b = d.
Proof.
  unfold divisor_of, eval. destruct (terms b); [|discriminate]. destruct (Z.eqb_spec (constant b) 0); [discriminate|].
  intros [= <-]. split; [easy|simpl; lia].
Qed.

#[export] Hint Resolve fresh_number fresh_combine fresh_add fresh_sub fresh_scale fresh_shift fresh_multiply : fresh.

Ltac known_arguments g :=
  repeat match goal with
  | H : term_at _ ?a = Ok _ |- _ => let f := fresh "f" in let e := fresh "e" in
      destruct (good_term _ _ _ _ _ _ _ g H) as [f e]; clear H
  | H : formula_at _ ?a = Ok _ |- _ => let b := fresh "b" in let c := fresh "c" in let e := fresh "e" in
      destruct (good_formula _ _ _ _ _ _ _ g H) as (b & c & e); clear H
  | H : tidy _ _ = Ok _ |- _ => apply (tidy_fresh _ _ _ _ _ _ _ g) in H
  | H : brings _ _ = Ok _ |- _ => unfold brings in H; unbind
  | H : modest _ = Ok _ |- _ => apply modest_eq in H; subst
  | H : multiplied _ _ = Ok _ |- _ => apply multiplied_eq in H; subst
  end.

(* fresh, of what occurs in line n + 1 *)
Lemma fresh_next n p : fresh n p -> fresh (Pos.succ n) p. Proof. apply fresh_more. lia. Qed.
#[export] Hint Resolve fresh_next : fresh.

Ltac worth := (* the value of a polynomial is that of the line *)
  repeat first [rewrite eval_add | rewrite eval_sub | rewrite eval_scale | rewrite eval_shift | rewrite eval_combine
               | rewrite eval_multiply | rewrite eval_number].
Ltac arguments := repeat match goal with H : number _ _ = eval _ _ |- _ => rewrite H; clear H end.

(* A line that brings an unknown: what is left to show is what the line is worth, by the unknown's definition. *)
Ltac by_unknown g :=
  eapply good_bring; [exact g| | |eassumption|]; simpl; [easy || lia|auto with fresh|]; try easy;
  (intros W same_W u_value u_fresh; split; [auto with fresh|]; f_equal; worth; rewrite u_value;
   repeat rewrite same_W by auto with fresh; worth; arguments).
(* by a constant other than 0, or by what is not known *)
Ltac division :=
  match goal with _ : context [divisor_of ?b], V : id -> Z, g : good _ _ _ _ _ |- _ =>
    let constant_divisor := fresh in
    destruct (divisor_of b) as [d|] eqn:constant_divisor;
    [destruct (divisor_of_some _ _ V constant_divisor) as [nonzero ?]|]; unbind; known_arguments g
  end.

Theorem elaborate_sound env n v V t l same a : good env n v V t -> elaborate t n l same = Ok a ->
  exists y, good env (Pos.succ n) (put v n (value_of env v n l)) (update V n y) (added t n a).
Proof.
  intros g.
  (* lines without an unknown of their own *)
  assert (forall p x, fresh n p -> x = eval V p ->
    exists y, good env (Pos.succ n) (put v n (Number x)) (update V n y) (added t n (Some (Term p), None))) as term.
  { intros p x f e. exists 0. apply good_line; [easy| |easy]. simpl. intros e' [= <-]. simpl. rewrite put_here.
    split; [now apply fresh_next|]. rewrite e. f_equal. apply f. intros. now rewrite update_below. }
  assert (forall f x, formula_below n f -> x = formula_value (put v n (Truth x)) V n f ->
    exists y, good env (Pos.succ n) (put v n (Truth x)) (update V n y) (added t n (Some (Known f), None))) as known.
  { intros f x b e. exists 0. apply good_line; [easy| |easy]. simpl. intros e' [= <-]. simpl. rewrite put_here.
    split; [now apply formula_below_more|]. rewrite e at 1. f_equal.
    destruct f; simpl in *; try easy. f_equal. apply b. intros. now rewrite update_below. }
  assert (forall f x, below n f -> truth (put v n x) f = truth v f) as truth_before.
  { intros. unfold truth. now rewrite put_below. }
  (* lines with an unknown of a range *)
  assert (forall x r, match r with Some (low, high) => low <= x <= high | None => True end ->
    exists y, good env (Pos.succ n) (put v n (Number x)) (update V n y)
                (added t n (Some (Term (unknown_poly n)), Some (DRange r)))) as ranged.
  { intros x r inside. exists x. apply good_line; [easy| |].
    - simpl. intros e [= <-]. simpl. rewrite put_here, eval_unknown, update_here. split; [apply fresh_unknown; lia|easy].
    - simpl. intros d [= <-]. now destruct r as [[]|]. }
  destruct l; cbn [elaborate value_of]; unfold just; intros made;
    try (destruct same; [unbind; discriminate|]); unbind; known_arguments g.
  - (* int *) apply term; [auto with fresh|now worth].
  - (* unknown *) apply ranged. destruct (range t0) as [[low high]|] eqn:r; [now apply line_unknown|easy].
  - (* + *) apply term; [auto with fresh|]. worth. congruence.
  - (* - *) apply term; [auto with fresh|]. worth. congruence.
  - (* * *) apply term; [auto with fresh|]. worth. congruence.
  - (* neg *) apply term; [auto with fresh|]. worth. lia.
  - (* / *) division; by_unknown g.
    + now apply line_division.
    + easy.
  - (* % *) division; by_unknown g.
    + now apply line_division.
    + easy.
  - (* min *) by_unknown g. lia.
  - (* max *) by_unknown g. lia.
  - (* abs *) by_unknown g. lia.
  - (* select *) by_unknown g. destruct (truth v f); lia.
  - (* of *) by_unknown g. now destruct (truth v f).
  - (* wrap *) destruct (range t0) as [[low high]|] eqn:r; unbind; known_arguments g.
    + assert (low <= high) by now apply range_nonempty in r.
      by_unknown g. unfold wrap. rewrite r. now apply line_wrap.
    + destruct same; unbind; known_arguments g. apply term; [easy|]. unfold wrap. now rewrite r.
  - (* mask *) destruct (Z.ltb_spec m 0); [discriminate|]. destruct (Z.leb_spec (2 ^ 64) m); [discriminate|].
    destruct (Z.eqb_spec (2 ^ Z.log2 (m + 1)) (m + 1)); unbind; known_arguments g.
    + by_unknown g. now apply line_mask.
    + destruct same; unbind; known_arguments g. apply ranged. now apply line_other_mask.
  - (* apply *) match goal with H : match ?b with None => _ | Some _ => _ end = Ok _ |- _ => destruct b; unbind; known_arguments g end;
      by_unknown g; easy.
  - (* quotient *) match goal with H : (1 <=? _) = true |- _ => apply Z.leb_le in H end. by_unknown g.
  - (* negative *) by_unknown g.
  - (* choice *) by_unknown g.
  - (* ratio *) by_unknown g.
  - (* rest *) by_unknown g.
  - (* applied *) match goal with H : match ?b with None => _ | Some _ => _ end = Ok _ |- _ => destruct b; unbind; known_arguments g end;
      by_unknown g.
  - (* true *) apply known; easy.
  - (* false *) apply known; easy.
  - (* comparisons *) apply known; simpl; [auto with fresh|]. worth. arguments.
    destruct sign; simpl; apply eq_iff_eq_true;
      rewrite ?negb_true_iff, ?Z.eqb_eq, ?Z.eqb_neq, ?Z.ltb_lt, ?Z.leb_le; lia.
  - (* and *) apply known; simpl; [easy|]. now rewrite !truth_before.
  - (* or *) apply known; simpl; [easy|]. now rewrite !truth_before.
  - (* not *) match goal with
    | below_f : formula_below n ?inner, says : truth v f = _ |- _ =>
        destruct inner; simpl in below_f, says; apply known; simpl; rewrite ?truth_before by easy; try easy
    end.
    match goal with says : truth v f = _ |- _ => rewrite says end. now rewrite negb_xorb_l.
  - (* iff *) apply known; simpl; [easy|]. now rewrite !truth_before.
  - (* cond *) apply known; simpl; [easy|]. now rewrite !truth_before.
  - (* atom *) apply known; [easy|]. simpl. unfold truth. now rewrite put_here.
Qed.
