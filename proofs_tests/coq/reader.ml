(* Words of a line of a file of certificates -> a row, for the checker that Sound.v proves right. Nobody need believe this file:
   what it makes of a line is printed back by Print.v, and certcheck.ml compares the words. *)
open Checker

exception Wrong of string
let wrong why = raise (Wrong why)

(* -- numbers -- *)

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))
let z_of_int n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))

let rec z_of text = (* 15 digits at once *)
  let n = String.length text in
  let digit = function '0' .. '9' | '-' -> () | _ -> wrong ("not a number: " ^ text) in
  if n = 0 || n > 400 then wrong "a number is missing";
  String.iter digit text;
  if n <= 16 then match int_of_string_opt text with Some i -> z_of_int i | None -> wrong ("not a number: " ^ text)
  else
    let low = String.sub text (n - 15) 15 in
    let low = z_of (if text.[0] = '-' then "-" ^ low else low) in
    Z.add (Z.mul (z_of (String.sub text 0 (n - 15))) (z_of_int 1_000_000_000_000_000)) low

let n_of text = match z_of text with Z0 -> N0 | Zpos p -> Npos p | Zneg _ -> wrong "a number is out of range"
let id text = match z_of text with Zpos p -> p | _ -> wrong "a line is not there"

let int_of_n = function
  | N0 -> 0
  | Npos p -> let rec int = function XH -> 1 | XO p -> 2 * int p | XI p -> (2 * int p) + 1 in int p

(* -- rows -- *)

let rec monomial = function
  | [] -> [] | u :: rest -> let u = id u in u :: monomial rest
let term word =
  match String.split_on_char '*' word with
  | k :: unknowns when List.compare_length_with unknowns 16 <= 0 -> monomial unknowns, z_of k
  | _ :: _ -> wrong "a degree is above 16"
  | [] -> wrong "a polynomial is not well formed"

(* "( 1 -1*9*7 2*5 )" begins the words: the polynomial and the words behind it *)
let polynomial = function
  | "(" :: c :: words ->
      let rec read terms = function
        | ")" :: rest -> { constant = z_of c; terms = List.rev terms }, rest
        | word :: rest -> read (term word :: terms) rest
        | [] -> wrong "a polynomial is not well formed" in
      read [] words
  | _ -> wrong "a polynomial is missing"

let rec parts done_ = function
  | [] -> List.rev done_
  | "(" :: _ as words -> (
      match polynomial words with p, h :: rest -> parts ((p, n_of h) :: done_) rest | _ -> wrong "a word is missing")
  | k :: h :: rest -> parts (({ constant = z_of k; terms = [] }, n_of h) :: done_) rest
  | [ _ ] -> wrong "a word is missing"

let optional = function "=" -> None | h -> Some (n_of h)
let whole words = match polynomial words with p, [] -> p | _ -> wrong "something follows where the step should end"

let step = function
  | [ "u"; n ] -> Su (id n) | [ "g" ] -> Sg | [ "a"; h; i ] -> Sa (n_of h, n_of i) | [ "d"; u; i ] -> Sd (id u, n_of i)
  | [ "v"; i; q; r; h ] -> Sv (n_of i, id q, id r, n_of h)
  | [ "e"; u; v ] -> Se (id u, id v, None, None) | [ "e"; u; v; h ] -> Se (id u, id v, optional h, None)
  | [ "e"; u; v; h; i ] -> Se (id u, id v, optional h, optional i)
  | "l" :: words -> Sl (parts [] words) | [ "m"; h; i ] -> Sm (n_of h, n_of i)
  | "s" :: words -> Ss (whole words) | [ "q"; h; i ] -> Sq (n_of h, n_of i) | "k" :: words -> Sk (whole words)
  | [ "o"; h ] -> So (n_of h) | [ "n"; u ] -> Sn (id u) | [ "."; h ] -> Sdot (n_of h) | [ "x"; h; i ] -> Sx (n_of h, n_of i)
  | _ -> wrong "not a step"

let kind = function
  | "int" -> Tint | "bool" -> Tbool | "u8" -> Tu8 | "u16" -> Tu16 | "u32" -> Tu32 | "u64" -> Tu64
  | "i8" -> Ti8 | "i16" -> Ti16 | "i32" -> Ti32 | "i64" -> Ti64 | _ -> wrong "not a type"

let line words =
  let compare s a b rest = Compare (s, id a, id b), rest in
  match words with
  | "int" :: c :: r -> Int (z_of c), r | "unknown" :: t :: _ -> Unknown (kind t), []
  | "+" :: a :: b :: r -> Plus (id a, id b), r | "-" :: a :: b :: r -> Minus (id a, id b), r
  | "*" :: a :: b :: r -> Times (id a, id b), r | "neg" :: a :: r -> Negate (id a), r
  | "/" :: a :: b :: r -> Div (id a, id b), r | "%" :: a :: b :: r -> Mod (id a, id b), r
  | "min" :: a :: b :: r -> Min (id a, id b), r | "max" :: a :: b :: r -> Max (id a, id b), r
  | "abs" :: a :: r -> Abs (id a), r | "select" :: f :: a :: b :: r -> Select (id f, id a, id b), r
  | "of" :: f :: r -> Of (id f), r | "wrap" :: t :: a :: r -> Wrap (kind t, id a), r
  | "mask" :: a :: m :: r -> Mask (id a, z_of m), r
  | "quotient" :: r -> (match polynomial r with p, d :: r -> Quotient (p, z_of d), r | _ -> wrong "a word is missing")
  | "negative" :: r -> let p, r = polynomial r in Negative p, r
  | "choice" :: f :: r -> let p, r = polynomial r in Choice (id f, p), r
  | "ratio" :: r -> let p, r = polynomial r in let m, r = polynomial r in Ratio (p, m), r
  | "rest" :: r -> let p, r = polynomial r in let m, r = polynomial r in Rest (p, m), r
  | "true" :: r -> Yes, r | "false" :: r -> No, r | "atom" :: _ -> Atom, []
  | "==" :: a :: b :: r -> compare EQ a b r | "!=" :: a :: b :: r -> compare NE a b r | "<" :: a :: b :: r -> compare LT a b r
  | "<=" :: a :: b :: r -> compare LE a b r | ">" :: a :: b :: r -> compare GT a b r | ">=" :: a :: b :: r -> compare GE a b r
  | "and" :: a :: b :: r -> And (id a, id b), r | "or" :: a :: b :: r -> Or (id a, id b), r | "not" :: a :: r -> Not (id a), r
  | "iff" :: a :: b :: r -> Iff (id a, id b), r | "cond" :: a :: b :: c :: r -> Cond (id a, id b, id c), r
  | _ -> wrong "not a kind of line"

let obligation text = (* "NAME/7", "NAME/7.1" *)
  match String.rindex_opt text '/' with
  | None -> wrong "not an id"
  | Some i -> (
      let name = String.sub text 0 i and number = String.sub text (i + 1) (String.length text - i - 1) in
      match String.split_on_char '.' number with
      | [ n ] -> { of_program = name; counted = id n; part = None }
      | [ n; p ] -> { of_program = name; counted = id n; part = Some (id p) }
      | _ -> wrong "not an id")

let hash may_be_absent text =
  let is_digit c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  if (may_be_absent && text = "-") || (String.length text = 64 && String.for_all is_digit text) then text
  else wrong "not a hash"

let row = function
  | "program" :: name :: count :: target :: algorithm :: schedule :: _ :: _ ->
      Program (name, n_of count, hash false target, hash true algorithm, hash true schedule)
  | "certificate" :: name :: rule :: _ -> Certificate (obligation name, rule)
  | "open" :: name :: rule :: _ -> Open (obligation name, rule)
  | "facts" :: ns -> Facts (List.rev (List.rev_map id ns))
  | [ "goal"; g ] -> Goal (id g) | [ "dead" ] -> Dead | [ "qed" ] -> Qed_ | [ "end"; n ] -> End (n_of n)
  | n :: words when n.[0] >= '0' && n.[0] <= '9' -> (
      match line words with
      | l, [] -> Line (id n, l, None)
      | l, [ "="; old ] -> Line (id n, l, Some (id old))
      | _ -> wrong "something follows where the line should end")
  | words -> Step (step words)
