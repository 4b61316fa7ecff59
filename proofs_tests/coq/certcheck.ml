(* halyard-certcheck-coq [--quiet] [--time] [--each] FILE: judges a file of certificates by the checker that Sound.v proves right.
   --each: many files one behind the other, each begins with the header; of each a verdict.
   What is to be believed here: "words_of" and "same" see that the rows are those of the file; "judge" asks about them. *)
open Checker

(* blanks part words; a parenthesis is a word *)
let words_of text =
  let split rest word =
    let n = String.length word in
    let first = if n > 1 && word.[0] = '(' then 1 else 0 and last = if n > 1 && word.[n - 1] = ')' then n - 1 else n in
    let rest = String.sub word first (last - first) :: (if last < n then ")" :: rest else rest) in
    if first = 1 then "(" :: rest else rest in
  List.fold_left (fun rest word -> if word = "" then rest else split rest word) [] (List.rev (String.split_on_char ' ' text))

let rec same printed words comment = (* "comment": what follows is one *)
  match printed, words with
  | p :: printed, w :: words -> p = w && same printed words comment
  | [], words -> comment || words = []
  | _, [] -> false
let shortest = function (* "=" at the end of a step e is nothing *)
  | [ "e"; u; v; "=" ] | [ "e"; u; v; "="; "=" ] -> [ "e"; u; v ]
  | [ "e"; u; v; h; "=" ] -> [ "e"; u; v; h ]
  | words -> words

exception Malformed of int * string (* in that line *)

(* The rows and of each its line; of each certificate its first row and its lines, last first. *)
let rows_of lines =
  let read (number, rows, places, about) text =
    let malformed why = raise (Malformed (number, why)) in
    let words = shortest (words_of text) in
    if number = 1 || words = [] || text.[0] = '#' then number + 1, rows, places, about
    else
      let row = try Reader.row words with Reader.Wrong why -> malformed why in
      if not (same (words_of_row row) words (has_comment row)) then malformed "not written as it is read";
      let about =
        match row, about with
        | Certificate _, _ -> (text, [ number ]) :: about
        | Step _, (head, steps) :: rest -> (head, number :: steps) :: rest
        | _ -> about in
      number + 1, row :: rows, number :: places, about in
  let number, rows, places, about = List.fold_left read (1, [], [], []) lines in
  List.rev rows, Array.of_list (List.rev ((number - 2) :: places)), List.rev about

let lines_of text =
  let lines = String.split_on_char '\n' text in
  if List.hd lines <> "halyard-certificates 2" then raise (Malformed (1, "not a file of certificates"));
  if String.contains text '\000' || text.[String.length text - 1] <> '\n' then raise (Malformed (1, "a line has no end"));
  lines

(* Of each certificate what "rows_of" says, whether it is dead, and the verdict; the obligations and how many are not shown. *)
type judged = { verdicts : ((string * int list) * (bool * verdict)) list; all : int; bare : int; times : float * float }
let judge text =
  let start = Sys.time () in
  let rows, places, about = rows_of (lines_of text) in
  match read rows with
  | Inr (place, why) -> raise (Malformed (places.(Reader.int_of_n place), why))
  | Inl r ->
      let certificates = certificates r and ready = Sys.time () in
      let verdicts = List.rev_map (fun c -> c.claimed.dead, judge_certificate r.known c) certificates in
      let sum f = List.fold_left (fun sum p -> sum + Reader.int_of_n (f p)) 0 r.programs in
      { verdicts = List.rev (List.rev_map2 (fun a v -> a, v) about (List.rev verdicts));
        all = sum (fun p -> p.obligations); bare = sum (fun p -> p.unshown); times = ready -. start, Sys.time () -. ready }
let judge text =
  try judge text with Stack_overflow | Out_of_memory -> raise (Malformed (1, "too large for the size of the file"))

let accepted j = List.length (List.filter (fun (_, (_, v)) -> v = Accepted) j.verdicts)
let is_fine j = j.verdicts <> [] && accepted j = List.length j.verdicts && j.bare = 0

let contents path = (* of whatever can be read, pipes too *)
  let channel = open_in_bin path and text = Buffer.create 65536 in
  (try while true do Buffer.add_channel text channel 65536 done with End_of_file -> ());
  Buffer.contents text

(* Whatever is made of a file takes memory in proportion to it. *)
let limit text =
  let most = (1 lsl 24) + (40 * String.length text) (* words *) in
  ignore (Gc.create_alarm (fun () -> if (Gc.quick_stat ()).Gc.heap_words > most then raise Out_of_memory))

let say path quiet timed text =
  let j = judge text in
  let one ((head, lines), (dead, verdict)) =
    let id, rule, about = Scanf.sscanf head " %s %s %s %[^\001]" (fun _ id rule about -> id, rule, about) in
    let about = rule ^ ": " ^ about in
    match verdict with
    | Accepted -> if not quiet then Printf.printf "%s %s (%s)\n" id (if dead then "accepted, dead" else "accepted") about
    | Rejected (step, why) ->
        let lines = Array.of_list (List.rev lines) in
        let line = lines.(min (Reader.int_of_n step + 1) (Array.length lines - 1)) in
        Printf.printf "%s:%d: %s rejected: %s (%s)\n" path line id why about in
  List.iter one j.verdicts;
  let count = List.length j.verdicts and dead = List.filter (fun (_, (dead, v)) -> dead && v = Accepted) j.verdicts in
  Printf.printf "%s: %d of %d certificates accepted, %d of them dead; they are about %d of %d obligations\n" path (accepted j)
    count (List.length dead) (j.all - j.bare) j.all;
  let reading, judging = j.times and each time = float_of_int count /. (time +. 1e-6) in
  if timed then
    Printf.printf "read in %.3f ms, checked in %.3f ms: %.0f certificates per second (%.0f with reading)\n" (reading *. 1e3)
      (judging *. 1e3) (each judging) (each (reading +. judging));
  exit (if is_fine j then 0 else 1)

let say_each text = (* the parts of a file of files *)
  let one lines =
    print_endline
      (match judge (String.concat "\n" (List.rev ("" :: lines))) with
      | j -> if is_fine j then "accepted" else "rejected"
      | exception Malformed (line, why) -> Printf.sprintf "malformed %d: %s" line why) in
  let add part line = if line = "halyard-certificates 2" && part <> [] then (one part; [ line ]) else line :: part in
  one (List.fold_left add [] (String.split_on_char '\n' (String.sub text 0 (String.length text - 1))))

let () =
  let flags, paths = List.partition (fun a -> List.mem a [ "--quiet"; "--time"; "--each" ]) (List.tl (Array.to_list Sys.argv)) in
  match paths with
  | [ path ] when path <> "" && path.[0] <> '-' -> (
      match contents path with
      | exception Sys_error why -> prerr_endline (why ^ ": cannot be read"); exit 2
      | text -> (
          limit text;
          if List.mem "--each" flags then say_each text
          else
            try say path (List.mem "--quiet" flags) (List.mem "--time" flags) text
            with Malformed (line, why) ->
              Printf.eprintf "%s:%d: %s: nothing in this file counts as proved\n" path line why;
              exit 2))
  | _ -> prerr_endline "usage: halyard-certcheck-coq [--quiet] [--time] [--each] FILE"; exit 2
