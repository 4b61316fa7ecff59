(* What a function gives that may refuse: a result, or why not. *)
From Coq Require Import String.

Inductive result (A : Type) := Ok (a : A) | Error (why : string).
Arguments Ok {A} a.
Arguments Error {A} why%string.
Notation "'let*' x := c 'in' d" := (match c with Ok x => d | Error why => Error why end)
  (at level 200, x pattern, right associativity).
Definition check (b : bool) (why : string) : result unit := if b then Ok tt else Error why.
Arguments check b why%string.
