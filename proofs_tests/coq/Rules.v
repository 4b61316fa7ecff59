(* Why each rule of a certificate may be believed (docs/certificates.md): over the integers, for all values. The names are
   those of the document's steps. A hypothesis "p >= 0" or "p == 0" is about the value p of its polynomial; formulas have
   values of type bool. *)
From Coq Require Import ZArith Lia Bool.
Open Scope Z_scope.

(* -- lines: what the unknowns stand for -- *)

Definition negative (a : Z) := Z.min a 0.
Definition choice (f : bool) (a : Z) := if f then a else 0.

Lemma line_min a b : Z.min a b = b + negative (a - b). Proof. unfold negative; lia. Qed.
Lemma line_max a b : Z.max a b = a - negative (a - b). Proof. unfold negative; lia. Qed.
Lemma line_abs a : Z.abs a = a - 2 * negative a. Proof. unfold negative; lia. Qed.
Lemma line_select (f : bool) a b : (if f then a else b) = b + choice f (a - b). Proof. destruct f; simpl; lia. Qed.
Lemma line_of (f : bool) : Z.b2z f = choice f 1. Proof. now destruct f. Qed.

(* Euclidean: the rest is never negative, whatever the sign of the divisor. *)
Lemma line_division a b q r : b <> 0 -> a = b * q + r -> 0 <= r < Z.abs b ->
  q = Z.sgn b * (a / Z.abs b) /\ r = a - Z.abs b * (a / Z.abs b).
Proof.
  intros nonzero def bounds.
  assert (a / Z.abs b = Z.sgn b * q) by (symmetry; apply Z.div_unique with r; nia).
  split; nia.
Qed.

(* Into a type with "modulus" values from "low" on: in it, and congruent. *)
Lemma line_wrap a low modulus : 0 < modulus -> let w := a - modulus * ((a - low) / modulus) in
  low <= w <= low + modulus - 1 /\ w mod modulus = a mod modulus.
Proof.
  intros positive w. assert (bounds := Z.mod_pos_bound (a - low) modulus positive).
  assert (def := Z.div_mod (a - low) modulus). split; [lia|].
  unfold w. rewrite <- (Z_mod_plus_full a (- ((a - low) / modulus)) modulus). f_equal. lia.
Qed.

Lemma line_mask a k : 0 <= k -> Z.land a (2 ^ k - 1) = a - 2 ^ k * (a / 2 ^ k).
Proof.
  intros. replace (2 ^ k - 1) with (Z.ones k) by (rewrite Z.ones_equiv; lia).
  rewrite Z.land_ones by assumption. apply Z.mod_eq. lia.
Qed.

Lemma line_other_mask a m : 0 <= m -> 0 <= Z.land a m <= m.
Proof.
  intros. split; [apply Z.land_nonneg; auto|].
  assert (m - Z.land a m = Z.ldiff m (Z.land a m)) as gap.
  { apply Z.sub_nocarry_ldiff. apply Z.bits_inj'. intros n _. rewrite Z.ldiff_spec, Z.land_spec, Z.bits_0.
    destruct (Z.testbit a n), (Z.testbit m n); reflexivity. }
  assert (0 <= Z.ldiff m (Z.land a m)) by (apply Z.ldiff_nonneg; auto). lia.
Qed.

(* -- d: what a definition says -- *)

Lemma d_quotient a d : 1 <= d -> a - d * (a / d) >= 0 /\ - a + d * (a / d) + (d - 1) >= 0.
Proof. intros. assert (0 < d) as positive by lia. assert (bounds := Z.mod_pos_bound a d positive).
  assert (def := Z.div_mod a d). lia. Qed.
Lemma d_negative a : - negative a >= 0 /\ a - negative a >= 0. Proof. unfold negative; lia. Qed.

(* -- v: quotient and remainder by what is at least 1 -- *)

Lemma v_division a m : m - 1 >= 0 -> a - a mod m - m * (a / m) = 0 /\ a mod m >= 0 /\ m - a mod m - 1 >= 0.
Proof. intros. assert (0 < m) as positive by lia. assert (bounds := Z.mod_pos_bound a m positive).
  assert (def := Z.div_mod a m). lia. Qed.

(* -- e: unknowns with equal definitions; for any function, those of division by 0 included -- *)

Lemma e_congruence (f : Z -> Z -> Z) a b m n : a - b = 0 -> m - n = 0 -> f a m - f b n = 0.
Proof. intros. replace a with b by lia. replace m with n by lia. lia. Qed.

(* -- m, s, q, l, k -- *)

Lemma m_product a b : a >= 0 -> b >= 0 -> a * b >= 0. Proof. nia. Qed.
Lemma s_square a : a * a >= 0. Proof. nia. Qed.
Lemma q_opposite a : a >= 0 -> - a >= 0 -> a = 0. Proof. lia. Qed.
Lemma l_inequality k a s : 0 <= k -> a >= 0 -> s >= 0 -> s + k * a >= 0. Proof. nia. Qed.
Lemma l_equation (p a s : Z) : a = 0 -> s = 0 -> s + p * a = 0. Proof. nia. Qed.
Lemma l_equation_beside p a s : a = 0 -> s >= 0 -> s + p * a >= 0. Proof. nia. Qed.
Lemma l_cut g p c : 0 < g -> g * p + c >= 0 -> p + c / g >= 0.
Proof. intros. assert (0 <= (p * g + c) / g) by (apply Z.div_pos; lia). rewrite Z.div_add_l in *; lia. Qed.
Lemma l_cut_equation g p c : 0 < g -> g * p + g * c = 0 -> p + c = 0. Proof. nia. Qed.
Lemma k_split p : - p - 1 >= 0 \/ p >= 0. Proof. lia. Qed.

(* -- comparisons as polynomials -- *)

Lemma says_eq a b : a = b <-> a - b = 0. Proof. lia. Qed.
Lemma says_lt a b : a < b <-> - (a - b) - 1 >= 0. Proof. lia. Qed.
Lemma says_le a b : a <= b <-> - (a - b) >= 0. Proof. lia. Qed.
Lemma says_gt a b : a > b <-> (a - b) - 1 >= 0. Proof. lia. Qed.
Lemma says_ge a b : a >= b <-> a - b >= 0. Proof. lia. Qed.

(* -- a, o, n: parts and cases -- *)

Lemma a_and f g : f && g = true -> f = true /\ g = true. Proof. apply andb_prop. Qed.
Lemma a_or f g : f || g = false -> f = false /\ g = false. Proof. apply orb_false_elim. Qed.
Lemma o_different a b : a <> b -> (a - b) - 1 >= 0 \/ - (a - b) - 1 >= 0. Proof. lia. Qed.
Lemma o_or f g : f || g = true -> f = true \/ g = true. Proof. apply orb_prop. Qed.
Lemma o_and f g : f && g = false -> f = false \/ g = false. Proof. destruct f, g; auto. Qed.
Lemma o_iff f g yes : eqb f g = yes -> (f = true /\ g = yes) \/ (f = false /\ g = negb yes).
Proof. destruct f, g, yes; simpl; auto; discriminate. Qed.
Lemma o_cond (f g h yes : bool) : (if f then g else h) = yes -> (f = true /\ g = yes) \/ (f = false /\ h = yes).
Proof. destruct f; auto. Qed.
Lemma n_negative a : (a - negative a = 0 /\ - a - 1 >= 0) \/ (negative a = 0 /\ a >= 0). Proof. unfold negative; lia. Qed.
Lemma n_choice f a : (- a + choice f a = 0 /\ f = true) \/ (choice f a = 0 /\ f = false).
Proof. destruct f; simpl; [left|right]; split; auto; lia. Qed.

(* -- . and x: contradictions -- *)

Lemma dot_inequality c : c < 0 -> ~ c >= 0. Proof. lia. Qed.
Lemma dot_equation g p c : c mod g <> 0 -> ~ g * p + c = 0.
Proof. intros rest equal. apply rest. replace c with (- p * g) by lia. apply Z_mod_mult. Qed.
Lemma dot_constant c : c <> 0 -> ~ c = 0. Proof. auto. Qed.
Lemma x_clash (f : bool) : f = true -> f = false -> False. Proof. congruence. Qed.

(* -- B.Fits and such, when a certificate is about more than was asked ("for any divisors") -- *)

Lemma general (P : Z -> Prop) : (forall unknown, P unknown) -> forall divisor, P divisor. Proof. auto. Qed.

Print Assumptions line_other_mask.
Print Assumptions line_wrap.
Print Assumptions line_division.
