(* The checker behind Coq's lia, as OCaml: what certificates.ml hands all arithmetic to. Standard library of Coq 8.16. *)
From Coq Require Import ZArith List.
From Coq.micromega Require Import RingMicromega EnvRing ZMicromega.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.

(* What is proved of it, and what the proof rests on ("Closed under the global context": on nothing but Coq). *)
Check ZChecker_sound.
Print Assumptions ZChecker_sound.

(* Polynomials as the checker has them. *)
Definition poly_constant (c : Z) : PolC Z := Pc c.
Definition poly_unknown (n : positive) : PolC Z := normZ (PEX n).
Definition poly_sum : PolC Z -> PolC Z -> PolC Z := padd.
Definition poly_difference : PolC Z -> PolC Z -> PolC Z := psub.
Definition poly_product : PolC Z -> PolC Z -> PolC Z := pmul.
Definition poly_content : PolC Z -> Z * Z := Zgcd_pol.

(* One step of ZChecker, in order to know what a hypothesis says. *)
Definition step_sum (known : list (NFormula Z)) (w : ZWitness) : option (NFormula Z) := eval_Psatz known w.
Definition step_cut (f : NFormula Z) : option (NFormula Z) := option_map nformula_of_cutting_plane (genCuttingPlane f).

Definition z_add := Z.add.
Definition z_mul := Z.mul.
Definition z_neg := Z.opp.
Definition z_less := Z.ltb.
Definition z_equal := Z.eqb.
Definition z_modulo := Z.modulo.
Definition z_div := Z.div.

Extraction "zchecker.ml" ZChecker poly_constant poly_unknown poly_sum poly_difference poly_product poly_content step_sum
  step_cut z_add z_mul z_neg z_less z_equal z_modulo z_div.
