(* The checker and the printer as OCaml: numbers are those of the proofs, bit by bit; only lists, booleans and strings are
   OCaml's own. *)
Require Import Meaning Print Checker.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString.
Extraction "checker.ml" read judge sum_up is_proved.
