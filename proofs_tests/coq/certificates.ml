(* certificates FILE...           judges files of certificates (docs/certificates.md) with the checker extracted from Coq
   certificates --compare FILE... the same for many small files in one, each with the verdict of halyard-certcheck

   This program reads a file and walks through the steps about formulas: facts, parts, cases, definitions of unknowns. What
   is known of numbers it keeps as Coq's polynomials, and every way through the cases ends in a call of ZChecker with
   the facts of that way and a proof made of the steps: sums and products, cuts, opposite inequalities and case splits
   are RatProof, CutProof, EnumProof and SplitProof. *)

open Zchecker

exception Malformed of string
exception Rejected of string
let malformed why = raise (Malformed why)
let reject why = raise (Rejected why)

(* -- numbers and polynomials -- *)

let zero = Z0
let one = Zpos XH
let ten = Zpos (XO (XI (XO XH)))
let digits = Array.init 10 (fun n -> List.fold_left z_add zero (List.init n (fun _ -> one)))

let number text =
  let n = String.length text in
  let negative = n > 0 && text.[0] = '-' in
  if n = (if negative then 1 else 0) then malformed "a number is missing";
  let value = ref zero in
  for i = (if negative then 1 else 0) to n - 1 do
    if text.[i] < '0' || text.[i] > '9' then malformed ("a number is missing: " ^ text);
    value := z_add (z_mul ten !value) digits.(Char.code text.[i] - 48)
  done;
  if negative then z_neg !value else !value

let small text =
  match int_of_string_opt text with
  | Some n when n >= 0 && n <= 1 lsl 30 && text.[0] >= '0' && text.[0] <= '9' -> n
  | _ -> malformed ("a number is out of range: " ^ text)

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let constant c = poly_constant c
let unknown n = poly_unknown (positive n)
let scale c p = poly_product (constant c) p
let minus_one = z_neg one
let negated p = scale minus_one p
let plus p c = poly_sum p (constant c)
let is_zero p = match p with Pc c -> z_equal c zero | _ -> false
let same a b = is_zero (poly_difference a b)
let is_number p = match p with Pc _ -> true | _ -> false

(* -- the table -- *)

type definition =
  | Plain of (z * z) option (* the range *)
  | Quotient of z polC * z
  | Ratio of z polC * z polC
  | Rest of z polC * z polC
  | Negative of z polC
  | Choice of int * z polC

type line =
  | Term of z polC
  | Formula of string * int list

type table = { mutable count : int; lines : (int, line) Hashtbl.t; definitions : (int, definition) Hashtbl.t }

let term t text =
  match Hashtbl.find_opt t.lines (small text) with
  | Some (Term p) -> p
  | Some (Formula _) -> malformed "not a term"
  | None -> malformed "a line is not there"

let formula t text =
  let n = small text in
  match Hashtbl.find_opt t.lines n with
  | Some (Formula _) -> n
  | Some (Term _) -> malformed "not a formula"
  | None -> malformed "a line is not there"

let power_of_two n = List.fold_left z_mul one (List.init n (fun _ -> z_add one one))

let range_of_type name =
  let signed n = let h = power_of_two (n - 1) in Some (z_neg h, z_add h minus_one) in
  let unsigned n = Some (zero, z_add (power_of_two n) minus_one) in
  match name with
  | "int" -> None
  | "bool" -> Some (zero, one)
  | "u8" -> unsigned 8 | "u16" -> unsigned 16 | "u32" -> unsigned 32 | "u64" -> unsigned 64
  | "i8" -> signed 8 | "i16" -> signed 16 | "i32" -> signed 32 | "i64" -> signed 64
  | _ -> malformed "not a type"

(* "(1 -1*9*7 2*5)" begins the words: the polynomial and the words behind it. *)
let polynomial t words =
  let monomial text =
    match String.split_on_char '*' text with
    | [] -> malformed "a polynomial is not well formed"
    | k :: unknowns ->
        let factor p text =
          let n = small text in
          if not (Hashtbl.mem t.definitions n) then malformed "not an unknown";
          poly_product p (unknown n) in
        List.fold_left factor (constant (number k)) unknowns in
  let rec read sum = function
    | [] -> malformed "a polynomial is not well formed"
    | word :: rest ->
        let n = String.length word in
        if n > 0 && word.[n - 1] = ')' then
          (if n = 1 then sum else poly_sum sum (monomial (String.sub word 0 (n - 1)))), rest
        else read (poly_sum sum (monomial word)) rest in
  match words with
  | word :: rest when String.length word > 0 && word.[0] = '(' ->
      read (constant zero) (String.sub word 1 (String.length word - 1) :: rest)
  | _ -> malformed "a polynomial is missing"

let same_definition a b =
  match a, b with
  | Quotient (p, d), Quotient (q, e) -> same p q && z_equal d e
  | Ratio (p, m), Ratio (q, n) | Rest (p, m), Rest (q, n) -> same p q && same m n
  | Negative p, Negative q -> same p q
  | Choice (f, p), Choice (g, q) -> f = g && same p q
  | _ -> false

(* The unknown of line n, or the earlier one that is the same. *)
let bring t n made = function
  | [] -> Hashtbl.replace t.definitions n made; unknown n
  | [ "="; old ] -> (
      match Hashtbl.find_opt t.definitions (small old) with
      | Some there when same_definition there made -> unknown (small old)
      | _ -> malformed "not the same")
  | _ -> malformed "something follows where the line should end"

let quotient t n p d rest =
  if z_less d one then malformed "a divisor is below 1";
  bring t n (Quotient (p, d)) rest

let division t n is_rest a b rest =
  match b with
  | Pc d when not (z_equal d zero) ->
      let size = if z_less d zero then z_neg d else d in
      let q = quotient t n a size rest in
      if is_rest then poly_difference a (scale size q) else if z_less d zero then negated q else q
  | _ -> bring t n (if is_rest then Rest (a, b) else Ratio (a, b)) rest

let term_line t n op words =
  let nothing rest value = if rest = [] then value else malformed "something follows where the line should end" in
  match op, words with
  | "int", [ c ] -> constant (number c)
  | "unknown", kind :: _ -> let range = range_of_type kind in Hashtbl.replace t.definitions n (Plain range); unknown n
  | "+", a :: b :: rest -> let a = term t a in let b = term t b in nothing rest (poly_sum a b)
  | "-", a :: b :: rest -> let a = term t a in let b = term t b in nothing rest (poly_difference a b)
  | "*", a :: b :: rest -> let a = term t a in let b = term t b in nothing rest (poly_product a b)
  | "neg", a :: rest -> nothing rest (negated (term t a))
  | "/", a :: b :: rest -> let a = term t a in division t n false a (term t b) rest
  | "%", a :: b :: rest -> let a = term t a in division t n true a (term t b) rest
  | "min", a :: b :: rest ->
      let a = term t a in let b = term t b in poly_sum b (bring t n (Negative (poly_difference a b)) rest)
  | "max", a :: b :: rest ->
      let a = term t a in let b = term t b in poly_difference a (bring t n (Negative (poly_difference a b)) rest)
  | "abs", a :: rest ->
      let a = term t a in poly_difference a (scale (z_add one one) (bring t n (Negative a) rest))
  | "select", f :: a :: b :: rest ->
      let f = formula t f in let a = term t a in let b = term t b in
      poly_sum b (bring t n (Choice (f, poly_difference a b)) rest)
  | "of", f :: rest -> bring t n (Choice (formula t f, constant one)) rest
  | "wrap", kind :: a :: rest -> (
      let range = range_of_type kind in
      let a = term t a in
      match range with
      | None -> nothing rest a
      | Some (low, high) ->
          let modulus = z_add (z_add high (z_neg low)) one in
          poly_difference a (scale modulus (quotient t n (plus a (z_neg low)) modulus rest)))
  | "mask", a :: bits :: rest ->
      let a = term t a and bits = number bits in
      let modulus = z_add bits one in
      if z_less bits zero || z_less (power_of_two 64) modulus then malformed "a mask is out of range";
      let rec is_power m = z_equal m one || (z_equal (z_modulo m (z_add one one)) zero && is_power (z_div m (z_add one one))) in
      if is_power modulus then poly_difference a (scale modulus (quotient t n a modulus rest))
      else nothing rest (Hashtbl.replace t.definitions n (Plain (Some (zero, bits))); unknown n)
  | "quotient", words -> (
      match polynomial t words with
      | p, d :: rest -> quotient t n p (number d) rest
      | _ -> malformed "a number is missing")
  | "negative", words -> let p, rest = polynomial t words in bring t n (Negative p) rest
  | "choice", f :: words ->
      let f = formula t f in let p, rest = polynomial t words in bring t n (Choice (f, p)) rest
  | ("ratio" | "rest"), words ->
      let p, words = polynomial t words in
      let m, rest = polynomial t words in
      bring t n (if op = "ratio" then Ratio (p, m) else Rest (p, m)) rest
  | _ -> malformed "not a kind of line"

let read_line t n = function
  | "atom" :: _ -> Formula ("atom", [])
  | [ ("true" | "false") as op ] -> Formula (op, [])
  | [ ("==" | "!=" | "<" | "<=" | ">" | ">=") as op; a; b ] ->
      ignore (term t a); ignore (term t b); Formula (op, [ small a; small b ])
  | [ ("and" | "or" | "iff") as op; a; b ] -> let a = formula t a in Formula (op, [ a; formula t b ])
  | [ "not"; a ] -> Formula ("not", [ formula t a ])
  | [ "cond"; a; b; c ] -> let a = formula t a in let b = formula t b in Formula ("cond", [ a; b; formula t c ])
  | op :: words -> Term (term_line t n op words)
  | [] -> malformed "a word is missing"

(* -- hypotheses -- *)

(* A number's place among what ZChecker knows: the i-th fact of this way, or the i-th derived; times a factor >= 1, plus
   a rest >= 0 (ZChecker keeps both cases of a split divided by their greatest common divisor). *)
type place = Fact of int | Derived of int
type hypothesis =
  | Number of { says : z nFormula; place : place; factor : z; rest : z }
  | Known of { line : int; holds : bool; difference : z polC option (* of what are different *) }

type state = {
  table : table;
  goal : int;
  facts : int list;
  hypotheses : hypothesis list; (* newest first *)
  height : int;
  known : z nFormula list; (* facts of this way, newest first *)
  known_count : int;
  derived : z nFormula list; (* newest first *)
  derived_count : int;
  proof : zArithProof -> zArithProof;
}

let push h st = { st with hypotheses = h :: st.hypotheses; height = st.height + 1 }

let learn says st =
  push (Number { says; place = Fact st.known_count; factor = one; rest = zero })
    { st with known = says :: st.known; known_count = st.known_count + 1 }

let at st n = if n < 0 || n >= st.height then reject "a hypothesis is not there" else List.nth st.hypotheses (st.height - 1 - n)

(* ZChecker's list: derived ones, newest first, then facts, oldest first. *)
let index st = function Derived i -> st.derived_count - 1 - i | Fact i -> st.derived_count + i
let context st = st.derived @ List.rev st.known

let asserted st line holds =
  let rec strip line holds =
    match Hashtbl.find st.table.lines line with Formula ("not", [ a ]) -> strip a (not holds) | _ -> line, holds in
  let line, holds = strip line holds in
  match Hashtbl.find st.table.lines line with
  | Formula (("==" | "!=" | "<" | "<=" | ">" | ">=") as op, [ a; b ]) -> (
      let value n = match Hashtbl.find st.table.lines n with Term p -> p | Formula _ -> assert false in
      let d = poly_difference (value a) (value b) in
      let opposite = function "==" -> "!=" | "!=" -> "==" | "<" -> ">=" | "<=" -> ">" | ">" -> "<=" | _ -> "<" in
      match if holds then op else opposite op with
      | "==" -> `Number (d, Equal)
      | "<" -> `Number (plus (negated d) minus_one, NonStrict)
      | "<=" -> `Number (negated d, NonStrict)
      | ">" -> `Number (plus d minus_one, NonStrict)
      | ">=" -> `Number (d, NonStrict)
      | _ -> `Known (line, holds, Some d))
  | _ -> `Known (line, holds, None)

let assume st line holds =
  match asserted st line holds with
  | `Number says -> learn says st
  | `Known (line, holds, difference) -> push (Known { line; holds; difference }) st

(* -- witnesses -- *)

let number_at st n op =
  match at st n with
  | Number h when (snd h.says = Equal) = (op = Equal) -> h.says, h.place, h.factor, h.rest
  | Number _ -> reject "not of that kind"
  | Known _ -> reject "a formula is no number"

(* The hypothesis as it was, from what ZChecker keeps. *)
let witness st (says, place, factor, rest) =
  let kept = PsatzIn (index st place) in
  let whole =
    if z_equal factor one then kept
    else if snd says = Equal then PsatzMulC (constant factor, kept) else PsatzMulE (PsatzC factor, kept) in
  if z_equal rest zero then whole else PsatzAdd (whole, PsatzC rest)

let derive st w ~cut =
  match step_sum (context st) w with
  | None -> reject "not a sum"
  | Some sum ->
      let says = if cut then match step_cut sum with Some f -> f | None -> sum else sum in
      let step rest = if cut then CutProof (w, rest) else RatProof (w, rest) in
      let proof = st.proof in
      push (Number { says; place = Derived st.derived_count; factor = one; rest = zero })
        { st with derived = says :: st.derived; derived_count = st.derived_count + 1;
                  proof = (fun rest -> proof (step rest)) }

(* -- steps -- *)

type step = { op : string; words : string list; summands : (z polC * int) list; poly : z polC }

let read_step t = function
  | (("g" | "u" | "o" | "n" | "." | "a" | "d" | "m" | "q" | "x" | "v" | "e") as op) :: words ->
      let room = match op with "g" -> 0 | "u" | "o" | "n" | "." -> 1 | "a" | "d" | "m" | "q" | "x" -> 2 | "v" -> 4 | _ -> 5 in
      if op <> "e" && List.length words <> room then malformed "a step of another length";
      List.iteri (fun i w -> if op <> "e" || i < 2 || w <> "=" then ignore (small w)) words;
      if op = "e" && (List.length words < 2 || List.length words > 4) then malformed "a step of another length";
      { op; words; summands = []; poly = constant zero }
  | [ "s" ] | [ "k" ] | [] -> malformed "a polynomial is missing"
  | (("s" | "k") as op) :: words ->
      let poly, rest = polynomial t words in
      if rest <> [] then malformed "something follows where the step should end";
      { op; words = []; summands = []; poly }
  | "l" :: words ->
      let rec read = function
        | [] -> []
        | word :: _ as words when word.[0] = '(' -> (
            match polynomial t words with
            | p, h :: rest -> let h = small h in (p, h) :: read rest
            | _ -> malformed "a number is missing")
        | k :: h :: rest -> let k = constant (number k) in let h = small h in (k, h) :: read rest
        | _ -> malformed "a word is missing" in
      { op = "l"; words = []; summands = read words; poly = constant zero }
  | _ -> malformed "not a step"

let definition st text =
  match Hashtbl.find_opt st.table.definitions (small text) with
  | Some d -> unknown (small text), d
  | None -> reject "an unknown is not there"

let non_negative p st = learn (p, NonStrict) st

let step_definition st u which =
  let u, d = definition st u in
  match small which, d with
  | 0, Plain (Some (low, _)) -> non_negative (plus u (z_neg low)) st
  | 1, Plain (Some (_, high)) -> non_negative (plus (negated u) high) st
  | 2, Quotient (a, d) -> non_negative (poly_difference a (scale d u)) st
  | 3, Quotient (a, d) -> non_negative (plus (poly_difference (scale d u) a) (z_add d minus_one)) st
  | 2, Negative _ -> non_negative (negated u) st
  | 3, Negative a -> non_negative (poly_difference a u) st
  | _ -> reject "the unknown's definition does not say so"

let step_division st which q r h =
  let q, of_q = definition st q in
  let r, of_r = definition st r in
  let (known, _), _, _, _ = number_at st (small h) NonStrict in
  match of_q, of_r with
  | Ratio (a, m), Rest (b, n) when same a b && same m n ->
      if not (same known (plus m minus_one)) then reject "the divisor is not known to be at least 1";
      (match small which with
      | 0 -> learn (poly_difference (poly_difference a r) (poly_product m q), Equal) st
      | 1 -> non_negative r st
      | _ -> non_negative (plus (poly_difference m r) minus_one) st)
  | _ -> reject "not quotient and remainder of one division"

let step_congruence st u v hypotheses =
  let x, of_x = definition st u in
  let y, of_y = definition st v in
  let equal i a b =
    match List.nth_opt hypotheses i with
    | None | Some "=" -> if not (same a b) then reject "arguments are not shown equal"
    | Some h ->
        let (known, _), _, _, _ = number_at st (small h) Equal in
        let gap = poly_difference a b in
        let cut = match step_cut (gap, Equal) with Some (p, _) -> p | None -> gap in
        if not (same known cut) then reject "arguments are not shown equal" in
  (match of_x, of_y with
  | Quotient (a, d), Quotient (b, e) when z_equal d e -> equal 0 a b
  | Negative a, Negative b -> equal 0 a b
  | Choice (f, a), Choice (g, b) when f = g -> equal 0 a b
  | (Ratio (a, m), Ratio (b, n)) | (Rest (a, m), Rest (b, n)) -> equal 0 a b; equal 1 m n
  | _ -> reject "unknowns of different kinds");
  learn (poly_difference x y, Equal) st

let step_part st h which =
  match at st (small h) with
  | Known { line; holds; _ } -> (
      match Hashtbl.find st.table.lines line, small which with
      | Formula (("and" | "or") as op, [ a; b ]), which when (op = "and") = holds && which < 2 ->
          assume st (if which = 0 then a else b) holds
      | _ -> reject "not a conjunction")
  | Number _ -> reject "not a conjunction"

let step_sum_of st summands =
  let add (total, rests) (multiplier, h) =
    match at st h with
    | Known _ -> reject "a formula is no number"
    | Number { says = (_, Equal) as says; place; factor; rest } ->
        let w = PsatzMulC (multiplier, witness st (says, place, factor, rest)) in
        (match total with None -> Some w | Some t -> Some (PsatzAdd (t, w))), rests
    | Number { says; place; factor; rest } -> (
        match multiplier with
        | Pc k when not (z_less k zero) ->
            if z_equal k zero then total, rests
            else
              let w = PsatzMulE (PsatzC k, witness st (says, place, factor, zero)) in
              (match total with None -> Some w | Some t -> Some (PsatzAdd (t, w))), z_add rests (z_mul k rest)
        | _ -> reject "an inequality times what may be negative") in
  let total, rests = List.fold_left add (None, zero) summands in
  let w = match total with None -> PsatzZ | Some w -> w in
  (* "> 0" of one more is ">= 0" *)
  derive st (if z_equal rests zero then w else PsatzAdd (w, PsatzC (z_add rests one))) ~cut:true

(* What is known at least: without the rest, which only weakens it. *)
let strong st n op = let says, place, factor, _ = number_at st n op in witness st (says, place, factor, zero)

let step_product st a b =
  let w n = let says, place, factor, rest = number_at st (small n) NonStrict in witness st (says, place, factor, rest) in
  derive st (PsatzMulE (w a, w b)) ~cut:false

exception Not_alone (* ZChecker cannot make this split by itself: each case is a call *)

(* a >= 0 and -a >= 0: EnumProof with the one value in between. Both are divided by their greatest common divisor. *)
let step_opposite st a b ~alone =
  let (p, _), _, _, _ = number_at st (small a) NonStrict and (q, _), _, _, _ = number_at st (small b) NonStrict in
  if not (same (negated p) q) then reject "not opposite inequalities";
  let v = strong st (small a) NonStrict and w = strong st (small b) NonStrict in
  match step_sum (context st) v with
  | None -> reject "not a sum"
  | Some sum -> (
      match step_cut sum with
      | None -> reject "not an inequality"
      | Some (cut, _) ->
          let g, rest = poly_content p in
          let g = if z_less zero g then g else one in
          if not (z_equal (z_modulo rest g) zero) then (* impossible here, where it is a fact like any other *)
            if alone then raise Not_alone else learn (p, Equal) st
          else
            let proof = st.proof in
            push (Number { says = (p, Equal); place = Derived st.derived_count; factor = g; rest = zero })
              { st with derived = (cut, Equal) :: st.derived; derived_count = st.derived_count + 1;
                        proof = (fun rest -> proof (EnumProof (v, w, [ rest ]))) })

(* -- cases -- *)

let calls = ref 0
let ask st proof =
  incr calls;
  if not (zChecker (List.rev st.known) (st.proof proof)) then reject "ZChecker says no"

(* ZChecker would stop at the first impossible equation; here the contradiction is the one that the step names. *)
let is_impossible (p, op) =
  match p, op with
  | Pc c, Equal -> not (z_equal c zero)
  | Pc c, _ -> z_less c zero || (op = Strict && z_equal c zero)
  | p, Equal -> let g, c = poly_content p in not (z_equal (z_modulo c g) zero)
  | _ -> false

let closes st h =
  match at st (small h) with
  | Number { says; _ } ->
      if not (is_impossible says) then reject "not a contradiction";
      RatProof (strong st (small h) (snd says), CutProof (PsatzIn 0, DoneProof))
  | Known _ -> raise Not_alone

let closes_formula st h =
  match at st (small h) with
  | Known { line; holds; _ } -> (
      match Hashtbl.find st.table.lines line, holds with
      | Formula ("false", _), true | Formula ("true", _), false -> ()
      | _ -> reject "not a contradiction")
  | Number _ -> reject "not a contradiction"

let clash st a b =
  match at st (small a), at st (small b) with
  | Known x, Known y when x.line = y.line && x.holds <> y.holds -> ()
  | _ -> reject "not a contradiction"

(* A step that opens no cases. "alone": within a split that ZChecker makes; a fact that holds in one case only must not
   stand among those of all. *)
let plain st step ~alone =
  match step.op, step.words with
  | "g", [] -> assume st st.goal false
  | "u", [ n ] -> if List.mem (small n) st.facts then assume st (small n) true else reject "not one of the facts"
  | "a", [ h; which ] -> step_part st h which
  | "d", [ u; which ] -> step_definition st u which
  | "v", [ which; q; r; h ] -> if alone then raise Not_alone else step_division st which q r h
  | "e", u :: v :: hypotheses -> if alone then raise Not_alone else step_congruence st u v hypotheses
  | "m", [ a; b ] -> step_product st a b
  | "s", [] -> derive st (PsatzSquare step.poly) ~cut:false
  | "q", [ a; b ] -> step_opposite st a b ~alone
  | "l", [] -> step_sum_of st step.summands
  | _ -> reject "not a step"

let rest_of_division a b = z_modulo a b

(* One case of "p >= 0 or -p-1 >= 0", split by 2p + 1 >= 0 and <= 0: ZChecker keeps it divided. *)
let case_of p st =
  let g, c = poly_content p in
  let says = match step_cut (p, NonStrict) with Some f -> f | None -> raise Not_alone in
  push (Number { says = (p, NonStrict); place = Derived st.derived_count; factor = g; rest = rest_of_division c g })
    { st with derived = says :: st.derived; derived_count = st.derived_count + 1; proof = (fun rest -> rest) }

(* The steps from i on as one proof, if they are about numbers alone: the proof, the next step, the facts met. *)
let rec alone steps st i =
  if i >= Array.length steps then reject "the proof does not end";
  let step = steps.(i) in
  match step.op, step.words with
  | ".", [ h ] -> closes st h, i + 1, st
  | ("x" | "o" | "n"), _ -> raise Not_alone
  | "k", _ ->
      if is_number step.poly then raise Not_alone;
      let p = step.poly in
      let split = plus (scale (z_add one one) p) one in
      let before = { st with proof = (fun rest -> rest) } in
      let second, next, st2 =
        let first_end = skip steps (i + 1) in
        alone steps (case_of p before) first_end in
      (* facts met in one case stand before those met in the other, for both: read the first case with them there *)
      let first, _, st1 = alone steps (case_of (plus (negated p) minus_one)
          { before with known = st2.known; known_count = st2.known_count }) (i + 1) in
      SplitProof (split, second, first), next, { st with known = st1.known; known_count = st1.known_count }
  | _ ->
      let before = { st with proof = (fun rest -> rest) } in
      let after = plain before step ~alone:true in
      let proof, next, last = alone steps after (i + 1) in
      after.proof proof, next, last

(* The step behind the one that closes the case that begins at i. *)
and skip steps i =
  let rec go i open_cases =
    if i >= Array.length steps then reject "the proof does not end"
    else
      match steps.(i).op with
      | "." | "x" -> if open_cases = 0 then i + 1 else go (i + 1) (open_cases - 1)
      | "k" | "o" | "n" -> go (i + 1) (open_cases + 1)
      | _ -> go (i + 1) open_cases in
  go i 0

let formula_cases st h =
  match at st (small h) with
  | Number _ -> reject "nothing to split"
  | Known { difference = Some d; _ } -> [ non_negative (plus d minus_one); non_negative (plus (negated d) minus_one) ]
  | Known { line; holds; _ } -> (
      let both a x b y st = assume (assume st a x) b y in
      match Hashtbl.find st.table.lines line with
      | Formula ("or", [ a; b ]) when holds -> [ (fun st -> assume st a true); (fun st -> assume st b true) ]
      | Formula ("and", [ a; b ]) when not holds -> [ (fun st -> assume st a false); (fun st -> assume st b false) ]
      | Formula ("iff", [ a; b ]) -> [ both a true b holds; both a false b (not holds) ]
      | Formula ("cond", [ a; b; c ]) -> [ both a true b holds; both a false c holds ]
      | _ -> reject "nothing to split")

let unknown_cases st u =
  let u, d = definition st u in
  match d with
  | Negative a ->
      [ (fun st -> non_negative (plus (negated a) minus_one) (learn (poly_difference a u, Equal) st));
        (fun st -> non_negative a (learn (u, Equal) st)) ]
  | Choice (f, a) ->
      [ (fun st -> assume (learn (poly_difference u a, Equal) st) f true);
        (fun st -> assume (learn (u, Equal) st) f false) ]
  | _ -> reject "nothing to split"

let rec walk steps st i =
  if i >= Array.length steps then reject "the proof does not end";
  let step = steps.(i) in
  let cases list = List.fold_left (fun i enter -> walk steps (enter st) i) (i + 1) list in
  match step.op, step.words with
  | ".", [ h ] -> (match closes st h with proof -> ask st proof | exception Not_alone -> closes_formula st h); i + 1
  | "x", [ a; b ] -> clash st a b; i + 1
  | "o", [ h ] -> cases (formula_cases st h)
  | "n", [ u ] -> cases (unknown_cases st u)
  | "k", _ -> (
      match alone steps st i with
      | proof, next, last -> ask { st with known = last.known; known_count = last.known_count } proof; next
      | exception Not_alone ->
          cases [ non_negative (plus (negated step.poly) minus_one); non_negative step.poly ])
  | _ -> walk steps (plain st step ~alone:false) (i + 1)

(* -- files -- *)

type certificate =
  { id : string; facts : int list; has_facts : bool; goal : int; is_dead : bool; uses_goal : bool; steps : step list }

(* What the certificates that follow are about; the last obligation spoken of, and its last part, 0 if it has none. *)
type program = { name : string; obligations : int; mutable last : int; mutable part : int; mutable open_parts : bool }

let words_of line = List.filter (fun w -> w <> "") (String.split_on_char ' ' line)

let contents path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let hash may_be_absent text =
  let is_digit c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  if not ((may_be_absent && text = "-") || (String.length text = 64 && String.for_all is_digit text)) then
    malformed "not a hash"

let read_program programs = function
  | name :: count :: target :: algorithm :: schedule :: _ :: _ ->
      (match !programs with p :: _ when p.last <> p.obligations -> malformed "certificates are missing" | _ -> ());
      if List.exists (fun p -> p.name = name) !programs then malformed "a program occurs twice";
      hash false target; hash true algorithm; hash true schedule;
      programs := { name; obligations = small count; last = 0; part = 0; open_parts = false } :: !programs
  | _ -> malformed "a word is missing"

(* "NAME/7" or "NAME/7.1", "NAME/7.2", ...: what is next. *)
let claim_id programs id is_open =
  let counted text =
    if text = "" || text.[0] < '1' || text.[0] > '9' then malformed "not an id" else small text in
  match programs with
  | [] -> malformed "no program was named"
  | p :: _ ->
      let n = String.length p.name in
      if String.length id <= n || String.sub id 0 (n + 1) <> p.name ^ "/" then malformed "the id is of another program";
      let rest = String.sub id (n + 1) (String.length id - n - 1) in
      let number, part =
        match String.split_on_char '.' rest with
        | [ number ] -> counted number, 0
        | [ number; part ] -> counted number, counted part
        | _ -> malformed "not an id" in
      if number > p.obligations then malformed "the program has no such obligation";
      if not ((number = p.last && p.part > 0 && part = p.part + 1) || (number = p.last + 1 && part <= 1)) then
        malformed "not the id of what is next";
      p.last <- number; p.part <- part;
      p.open_parts <- p.open_parts || is_open

let read_text text =
  let table = { count = 0; lines = Hashtbl.create 1000; definitions = Hashtbl.create 1000 } in
  let finished = ref [] and opened = ref None and ended = ref false and programs = ref [] in
  let row line =
    match words_of line, !opened with
    | [], _ -> ()
    | first :: _, _ when first.[0] = '#' && line.[0] = '#' -> ()
    | _ when !ended -> malformed "something follows the end"
    | "program" :: words, None -> read_program programs words
    | "open" :: id :: _ :: _, None -> claim_id !programs id true
    | "certificate" :: id :: _ :: _, None ->
        claim_id !programs id false;
        opened := Some { id; facts = []; has_facts = false; goal = 0; is_dead = false; uses_goal = false; steps = [] }
    | "facts" :: facts, Some ({ goal = 0; has_facts = false; _ } as c) ->
        opened := Some { c with facts = List.map (formula table) facts; has_facts = true }
    | [ "goal"; goal ], Some ({ goal = 0; _ } as c) -> opened := Some { c with goal = formula table goal }
    | _, Some { goal = 0; _ } -> malformed "not a step"
    | [ "dead" ], Some ({ steps = []; is_dead = false; _ } as c) -> opened := Some { c with is_dead = true }
    | [ "qed" ], Some c when c.goal <> 0 -> finished := { c with steps = List.rev c.steps } :: !finished; opened := None
    | [ "end"; count ], None ->
        if small count <> List.length !finished then malformed "certificates are missing";
        (match !programs with p :: _ when p.last <> p.obligations -> malformed "certificates are missing" | _ -> ());
        ended := true
    | words, Some c ->
        opened := Some { c with steps = read_step table words :: c.steps; uses_goal = c.uses_goal || words = [ "g" ] }
    | n :: words, None ->
        if n <> string_of_int (table.count + 1) then malformed "not the number of the next line";
        let line = read_line table (table.count + 1) words in
        table.count <- table.count + 1;
        Hashtbl.replace table.lines table.count line in
  (match String.split_on_char '\n' text with
  | "halyard-certificates 2" :: rest ->
      if List.nth rest (List.length rest - 1) <> "" || String.contains text '\000' then malformed "a line has no end";
      List.iter row rest
  | _ -> malformed "not a file of certificates");
  if not !ended then malformed "the end is missing";
  table, List.exists (fun p -> p.open_parts) !programs, List.rev !finished

let check table (c : certificate) =
  let steps = Array.of_list c.steps in
  let st = { table; goal = c.goal; facts = c.facts; hypotheses = []; height = 0; known = []; known_count = 0; derived = [];
             derived_count = 0; proof = (fun rest -> rest) } in
  if c.uses_goal = c.is_dead then Some "dead, or not"
  else match walk steps st 0 with
  | next when next = Array.length steps -> None
  | _ -> Some "steps follow the last contradiction"
  | exception Rejected why -> Some why
  | exception Malformed why -> Some why

let verdict_of text =
  match read_text text with
  | exception Malformed _ -> "malformed"
  | table, is_open, certificates ->
      if certificates <> [] && not is_open && List.for_all (fun c -> check table c = None) certificates then "accepted" else "rejected"

let judge path =
  match read_text (contents path) with
  | exception Malformed why -> Printf.printf "%s malformed: %s\n" path why
  | table, _, certificates ->
      let start = Sys.time () in
      calls := 0;
      let verdicts = List.map (fun c -> c.id, check table c) certificates in
      let seconds = Sys.time () -. start +. 1e-6 and count = List.length verdicts in
      let accepted = List.length (List.filter (fun (_, v) -> v = None) verdicts) in
      List.iter (function _, None -> () | id, Some why -> Printf.printf "%s %s rejected: %s\n" path id why) verdicts;
      Printf.printf "%s: %d of %d certificates accepted; %d calls of ZChecker, %.0f certificates per second\n"
        (Filename.basename path) accepted count !calls (float_of_int count /. seconds)

(* Files one behind the other, each with a comment "# VERDICT: REASON" of halyard-certcheck in its second line. Its limits
   are no errors here: numbers have no size, polynomials no degree. *)
let compare_bundle path =
  let header = "halyard-certificates 2\n" in
  let n = String.length header and text = contents path in
  let rec starts from =
    match Str.search_forward (Str.regexp_string ("\n" ^ header)) text from with
    | at -> (at + 1) :: starts (at + n)
    | exception Not_found -> [ String.length text ] in
  let bounds = if text = "" then [] else 0 :: starts 0 in
  let agree = ref 0 and limits = ref 0 and differ = ref 0 in
  let one from till =
    let part = String.sub text from (till - from) in
    let comment = String.sub part n (String.index_from part n '\n' - n) in
    let theirs = Scanf.sscanf comment "# %[a-z]" (fun v -> v) and ours = verdict_of part in
    let has why = try ignore (Str.search_forward (Str.regexp_string why) comment 0); true with Not_found -> false in
    let fine verdict = verdict = "accepted" in
    if fine theirs = fine ours then incr agree
    else if fine ours && List.exists has [ "does not fit 128 bits"; "degree is above 4"; "too large" ] then incr limits
    else begin
      incr differ;
      if !differ <= 3 then Printf.printf "here %s, but%s\n%s\n" ours (String.sub comment 1 (String.length comment - 1)) part
    end in
  let rec all = function a :: (b :: _ as rest) -> one a b; all rest | _ -> () in
  all bounds;
  Printf.printf "%s: agree on %d, differ on %d; %d are accepted here and beyond the limits of halyard-certcheck\n"
    (Filename.basename path) !agree !differ !limits;
  if !differ > 0 then exit 1

let () =
  match List.tl (Array.to_list Sys.argv) with
  | "--compare" :: paths -> List.iter compare_bundle paths
  | paths -> List.iter judge paths
