(* Polynomials over unknowns, in one form: monomials descend, no coefficient is 0. That form matters for what is accepted
   and not for what it means: the lemmas about values hold of any polynomial. *)
From Coq Require Import ZArith List Lia.
Require Import Meaning.
Import ListNotations.
Open Scope Z_scope.

(* -- values -- *)

Fixpoint product (V : id -> Z) (m : list id) : Z := match m with [] => 1 | u :: m => V u * product V m end.
Fixpoint total (V : id -> Z) (ts : list (list id * Z)) : Z :=
  match ts with [] => 0 | (m, k) :: ts => k * product V m + total V ts end.
Definition eval (V : id -> Z) (p : polynomial) : Z := constant p + total V (terms p).

(* -- operations -- *)

(* Greatest unknown first; monomials compare as words. *)
Fixpoint compare_monomials (a b : list id) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | u :: a, v :: b => match Pos.compare u v with Eq => compare_monomials a b | c => c end
  end.

Fixpoint insert (u : id) (m : list id) : list id :=
  match m with [] => [u] | v :: rest => if Pos.leb v u then u :: m else v :: insert u rest end.
Definition times_monomial (a b : list id) : list id := fold_left (fun m u => insert u m) a b.

(* k * a + b, behind the reverse of "done" *)
Fixpoint merge (k : Z) (a : list (list id * Z)) : list (list id * Z) -> list (list id * Z) -> list (list id * Z) :=
  match a with
  | [] => fun b done => rev_append done b
  | (m, x) :: a' =>
      fix with_b (b done : list (list id * Z)) : list (list id * Z) :=
        match b with
        | [] => merge k a' [] ((m, k * x) :: done)
        | (n, y) :: b' =>
            match compare_monomials m n with
            | Eq => let s := k * x + y in merge k a' b' (if s =? 0 then done else (m, s) :: done)
            | Gt => merge k a' b ((m, k * x) :: done)
            | Lt => with_b b' ((n, y) :: done)
            end
        end
  end.

Definition number_poly (c : Z) : polynomial := Polynomial c [].
Definition unknown_poly (u : id) : polynomial := Polynomial 0 [([u], 1)].
(* k * a + b *)
Definition combine (k : Z) (a b : polynomial) : polynomial :=
  if k =? 0 then b else Polynomial (k * constant a + constant b) (merge k (terms a) (terms b) []).
Definition add := combine 1.
Definition sub (a b : polynomial) := combine (-1) b a.
Definition scale (k : Z) (a : polynomial) := combine k a (number_poly 0).
Definition shift (c : Z) (a : polynomial) := Polynomial (constant a + c) (terms a).

Definition row_of (m : list id) (x : Z) (p : polynomial) : list (list id * Z) :=
  rev_append (fold_left (fun done t => (times_monomial m (fst t), x * snd t) :: done) (terms p) [])
    (if constant p =? 0 then [] else [(m, x * constant p)]).
Definition multiply (a b : polynomial) : polynomial :=
  match terms b with
  | [] => scale (constant b) a
  | _ => fold_left (fun sum t => Polynomial (constant sum) (merge 1 (row_of (fst t) (snd t) b) (terms sum) []))
           (terms a) (scale (constant a) b)
  end.

Fixpoint same_monomial (a b : list id) : bool :=
  match a, b with [], [] => true | u :: a, v :: b => if Pos.eqb u v then same_monomial a b else false | _, _ => false end.
Fixpoint same_terms (a b : list (list id * Z)) : bool :=
  match a, b with
  | [], [] => true
  | (m, x) :: a, (n, y) :: b => if x =? y then if same_monomial m n then same_terms a b else false else false
  | _, _ => false
  end.
Definition same (a b : polynomial) : bool := if constant a =? constant b then same_terms (terms a) (terms b) else false.

(* The greatest common divisor of the coefficients, 0 if there are none. *)
Fixpoint content_from (g : Z) (ts : list (list id * Z)) : Z :=
  match ts with [] => g | (_, k) :: ts => if g =? 1 then 1 else content_from (if Z.abs k =? 1 then 1 else Z.gcd g k) ts end.
Definition content (p : polynomial) : Z := content_from 0 (terms p).

Definition divided (g : Z) (ts : list (list id * Z)) : list (list id * Z) :=
  rev_append (fold_left (fun done t => (fst t, snd t / g) :: done) ts []) [].
(* g*p + k >= 0 says p + floor(k / g) >= 0, and g*p + g*k == 0 says p + k == 0. *)
Definition cut (p : polynomial) (is_equal : bool) : polynomial :=
  let g := content p in
  if g <=? 1 then p
  else if (if is_equal then negb (constant p mod g =? 0) else false) then p
  else Polynomial (constant p / g) (divided g (terms p)).

(* -- what they do to values -- *)

Section Values.
Variable V : id -> Z.
Notation eval := (eval V).
Notation total := (total V).
Notation product := (product V).

Lemma total_rev_append a b : total (rev_append a b) = total a + total b.
Proof. revert b; induction a as [|[m k] a IH]; intros; simpl; [|rewrite IH; simpl]; lia. Qed.

Lemma compare_monomials_eq a b : compare_monomials a b = Eq -> a = b.
Proof.
  revert b; induction a as [|u a IH]; intros [|w b]; simpl; try easy.
  destruct (Pos.compare_spec u w); try easy. intros. f_equal; auto.
Qed.

Lemma product_insert u m : product (insert u m) = V u * product m.
Proof. induction m as [|w m IH]; simpl; [easy|]. destruct (Pos.leb w u); simpl; [easy|rewrite IH; lia]. Qed.

Lemma product_times a b : product (times_monomial a b) = product a * product b.
Proof.
  unfold times_monomial. revert b; induction a as [|u a IH]; intros; cbn [fold_left Polynomials.product]; [ring|].
  rewrite IH, product_insert. ring.
Qed.

Lemma total_merge k a b done : total (merge k a b done) = k * total a + total b + total done.
Proof.
  revert b done; induction a as [|[m x] a IHa]; intros b; [intros; simpl; rewrite total_rev_append; lia|].
  induction b as [|[n y] b IHb]; intros done; [simpl; rewrite IHa; simpl; lia|].
  cbn [merge]. destruct (compare_monomials m n) eqn:order.
  - apply compare_monomials_eq in order as ->. rewrite IHa. cbn [Polynomials.total].
    transitivity ((k * x + y) * product n + k * total a + total b + total done); [|ring].
    destruct (Z.eqb_spec (k * x + y) 0) as [e|]; [rewrite e|cbn [Polynomials.total]]; ring.
  - etransitivity; [exact (IHb ((n, y) :: done))|]. simpl. lia.
  - rewrite IHa. simpl. lia.
Qed.

Lemma eval_number c : eval (number_poly c) = c. Proof. unfold eval; simpl; lia. Qed.
Lemma eval_unknown u : eval (unknown_poly u) = V u. Proof. unfold eval; cbn [number_poly unknown_poly constant terms Polynomials.total Polynomials.product]; lia. Qed.
Lemma eval_combine k a b : eval (combine k a b) = k * eval a + eval b.
Proof.
  unfold combine, eval. destruct (Z.eqb_spec k 0); [subst; lia|]. cbn [constant terms]. rewrite total_merge. simpl. lia.
Qed.
Lemma eval_add a b : eval (add a b) = eval a + eval b. Proof. unfold add; rewrite eval_combine; lia. Qed.
Lemma eval_sub a b : eval (sub a b) = eval a - eval b. Proof. unfold sub; rewrite eval_combine; lia. Qed.
Lemma eval_scale k a : eval (scale k a) = k * eval a. Proof. unfold scale; rewrite eval_combine, eval_number; lia. Qed.
Lemma eval_shift c a : eval (shift c a) = eval a + c. Proof. unfold eval; simpl; lia. Qed.

Lemma total_row m x p : total (row_of m x p) = x * product m * eval p.
Proof.
  unfold row_of. rewrite total_rev_append.
  assert (forall ts done, total (fold_left (fun done t => (times_monomial m (fst t), x * snd t) :: done) ts done) =
                          x * product m * total ts + total done) as all.
  { induction ts as [|[n y] ts IH]; intros; cbn [fold_left fst snd]; [cbn; lia|]. cbn [Polynomials.total]. rewrite IH. cbn [Polynomials.total]. rewrite product_times. ring. }
  rewrite all. unfold eval. destruct (Z.eqb_spec (constant p) 0) as [e|]; cbn [Polynomials.total]; [rewrite e|]; ring.
Qed.

Lemma eval_multiply a b : eval (multiply a b) = eval a * eval b.
Proof.
  unfold multiply. destruct (terms b) eqn:shape.
  { rewrite eval_scale. unfold eval at 3. rewrite shape. cbn [Polynomials.total]. ring. }
  clear shape. assert (forall ts sum,
    eval (fold_left (fun sum t => Polynomial (constant sum) (merge 1 (row_of (fst t) (snd t) b) (terms sum) [])) ts sum) =
    eval sum + total ts * eval b) as all.
  { induction ts as [|[m x] ts IH]; intros; cbn [fold_left Polynomials.total]; [ring|]. rewrite IH. unfold eval at 1.
    cbn [constant terms fst snd]. rewrite total_merge, total_row. unfold eval. cbn [Polynomials.total]. ring. }
  rewrite all, eval_scale. unfold eval. ring.
Qed.

Lemma same_monomial_eq a b : same_monomial a b = true -> a = b.
Proof.
  revert b; induction a as [|u a IH]; intros [|w b]; simpl; try easy.
  destruct (Pos.eqb_spec u w); [intros; f_equal; auto|easy].
Qed.
Lemma same_terms_eq a b : same_terms a b = true -> a = b.
Proof.
  revert b; induction a as [|[m x] a IH]; intros [|[n y] b]; simpl; try easy.
  destruct (Z.eqb_spec x y) as [->|]; [|easy]. destruct (same_monomial m n) eqn:e; [|easy].
  apply same_monomial_eq in e. intros. subst. f_equal. auto.
Qed.
Lemma same_eq a b : same a b = true -> a = b.
Proof.
  unfold same. destruct a as [c ts], b as [d us]; simpl. destruct (Z.eqb_spec c d) as [->|]; [|easy].
  intros e. apply same_terms_eq in e. now subst.
Qed.

Lemma content_divides ts : forall g, 0 <= g -> 0 <= content_from g ts /\ (content_from g ts | g) /\
  forall t, In t ts -> (content_from g ts | snd t).
Proof.
  induction ts as [|[m k] ts IH]; intros g positive.
  { simpl. repeat split; [easy|apply Z.divide_refl|easy]. }
  cbn [content_from]. destruct (Z.eqb_spec g 1).
  { subst. repeat split; [lia|apply Z.divide_refl|intros; apply Z.divide_1_l]. }
  set (h := if Z.abs k =? 1 then 1 else Z.gcd g k).
  assert (0 <= h /\ (h | g) /\ (h | k)) as (one & two & three).
  { unfold h. destruct (Z.abs k =? 1); [split; [lia|split; apply Z.divide_1_l]|].
    split; [apply Z.gcd_nonneg|split; [apply Z.gcd_divide_l|apply Z.gcd_divide_r]]. }
  destruct (IH h one) as (a & b & c). repeat split; [easy|eapply Z.divide_trans; eauto|].
  intros t [<-|there]; simpl; [eapply Z.divide_trans; eauto|auto].
Qed.

Lemma total_divided g ts : 0 < g -> (forall t, In t ts -> (g | snd t)) -> total ts = g * total (divided g ts).
Proof.
  intros positive. unfold divided.
  assert (forall ts done, (forall t, In t ts -> (g | snd t)) ->
    g * total (fold_left (fun done t => (fst t, snd t / g) :: done) ts done) = total ts + g * total done) as all.
  { clear ts. induction ts as [|[m k] ts IH]; intros done there; simpl; [lia|].
    rewrite IH by auto with datatypes. destruct (there (m, k)) as [q e]; [now left|]. simpl in e. subst.
    simpl. rewrite Z.div_mul by lia. lia. }
  intros there. rewrite total_rev_append. simpl. rewrite Z.add_0_r, all by easy. simpl. lia.
Qed.

Lemma content_spec p : 0 <= content p /\ forall t, In t (terms p) -> (content p | snd t).
Proof. unfold content. destruct (content_divides (terms p) 0) as (a & _ & c); [lia|]. auto. Qed.

Lemma content_zero p : content p = 0 -> total (terms p) = 0.
Proof.
  intros zero. destruct (content_spec p) as [_ all]. rewrite zero in all. induction (terms p) as [|[m k] ts IH]; [easy|].
  simpl. rewrite IH by auto with datatypes. destruct (all (m, k)) as [q e]; [now left|]. simpl in e. lia.
Qed.

Lemma content_total p : exists q, total (terms p) = content p * q.
Proof.
  destruct (content_spec p) as [positive all]. destruct (Z.eq_dec (content p) 0) as [e|e].
  - exists 0. rewrite content_zero by easy. lia.
  - eexists. apply total_divided; [lia|easy].
Qed.

Lemma cut_inequality p : eval p >= 0 -> eval (cut p false) >= 0.
Proof.
  unfold cut. destruct (Z.leb_spec (content p) 1); [easy|]. unfold eval. cbn [constant terms].
  destruct (content_spec p) as [_ all]. rewrite (total_divided (content p)) by (easy || lia).
  intros known. set (g := content p) in *. set (q := total (divided g (terms p))) in *. set (k := constant p) in *.
  assert (0 <= (q * g + k) / g) by (apply Z.div_pos; lia). rewrite Z.div_add_l in * by lia. lia.
Qed.

Lemma cut_equation p : eval (cut p true) = 0 <-> eval p = 0.
Proof.
  unfold cut. destruct (Z.leb_spec (content p) 1) as [|big]; [easy|].
  destruct (Z.eqb_spec (constant p mod content p) 0) as [exact|]; [|easy].
  unfold eval. cbn [negb constant terms]. destruct (content_spec p) as [_ all].
  rewrite (total_divided (content p) (terms p)) by (easy || lia). generalize (total (divided (content p) (terms p))).
  intros q. apply Z.div_exact in exact; [|lia]. rewrite exact at 2.
  generalize dependent (constant p / content p). intros c _.
  replace (content p * c + content p * q) with (content p * (c + q)) by ring. split; intros known; [rewrite known; ring|].
  apply Z.mul_eq_0 in known as [|]; lia.
Qed.
End Values.

#[global] Arguments eval : simpl never.
#[global] Arguments shift : simpl never.
#[global] Arguments combine : simpl never.
#[global] Arguments number_poly : simpl never.
#[global] Arguments unknown_poly : simpl never.

(* A value depends only on the unknowns that occur. "fresh n p": none from n on occurs. *)
Definition fresh (n : id) (p : polynomial) : Prop :=
  forall V W, (forall k, (k < n)%positive -> V k = W k) -> eval V p = eval W p.

Lemma fresh_number n c : fresh n (number_poly c). Proof. intros V W _. now rewrite !eval_number. Qed.
Lemma fresh_unknown n u : (u < n)%positive -> fresh n (unknown_poly u).
Proof. intros less V W equal. rewrite !eval_unknown. auto. Qed.
Lemma fresh_combine n k a b : fresh n a -> fresh n b -> fresh n (combine k a b).
Proof. intros fa fb V W equal. rewrite !eval_combine. now rewrite (fa V W), (fb V W). Qed.
Lemma fresh_add n a b : fresh n a -> fresh n b -> fresh n (add a b). Proof. apply fresh_combine. Qed.
Lemma fresh_sub n a b : fresh n a -> fresh n b -> fresh n (sub a b). Proof. intros; now apply fresh_combine. Qed.
Lemma fresh_scale n k a : fresh n a -> fresh n (scale k a). Proof. intros; apply fresh_combine; auto using fresh_number. Qed.
Lemma fresh_shift n c a : fresh n a -> fresh n (shift c a).
Proof. intros fa V W equal. rewrite !eval_shift. now rewrite (fa V W). Qed.
Lemma fresh_multiply n a b : fresh n a -> fresh n b -> fresh n (multiply a b).
Proof. intros fa fb V W equal. rewrite !eval_multiply. now rewrite (fa V W), (fb V W). Qed.
Lemma fresh_more n m p : (n <= m)%positive -> fresh n p -> fresh m p.
Proof. intros less f V W equal. apply f. intros. apply equal. lia. Qed.
