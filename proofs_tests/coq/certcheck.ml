(* halyard-certcheck-coq [--quiet] [--time] [--each] [--program FILE.tgt] FILE: judges a file of certificates by the checker
   that Sound.v proves right, and says what halyard-certcheck would say. --each: many files one behind the other, each begins
   with the header; of each a verdict. What is to be believed here is that the lines are those of the file, split at blanks, and
   that what "judge" says is printed; --program, which no verdict rests on, takes sha256.ml, too. *)
open Checker

exception Malformed of int * string (* in that line *)
exception Unreadable of string

let words_of line = (* blanks part words; a comment has none *)
  if line <> "" && line.[0] = '#' then [] else List.filter (fun word -> word <> "") (String.split_on_char ' ' line)

let lines_of text =
  let lines = String.split_on_char '\n' text in
  let rec ended n kept = function (* all but what follows the last newline, which must be nothing *)
    | [ "" ] -> List.rev kept
    | line :: (_ :: _ as rest) when not (String.contains line '\000') -> ended (n + 1) (line :: kept) rest
    | _ -> raise (Malformed (n, "a line has no end")) in
  ended 1 [] lines

let rec int_of_positive = function XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> (2 * int_of_positive p) + 1
let int_of_n = function N0 -> 0 | Npos p -> int_of_positive p

let contents path = (* of whatever can be read, pipes too *)
  try
    let channel = open_in_bin path and text = Buffer.create 65536 in
    (try while true do Buffer.add_channel text channel 65536 done with End_of_file -> close_in channel);
    Buffer.contents text
  with Sys_error _ -> raise (Unreadable path)

(* Whatever is made of a file takes memory and work in proportion to it: words that are kept, and all words that are made, of
   which one in a million is looked at. Real files ask for 6 and 50 words for each byte. *)
let made = ref 0 and too_much = "too large, or too much work, for the size of the file"
let limit size =
  let most_kept = (1 lsl 24) + (40 * size) and most_made = 100 + (size / 1000) in
  let look (a : Gc.Memprof.allocation) = made := !made + a.n_samples; if !made > most_made then raise Out_of_memory else None in
  Gc.Memprof.start ~sampling_rate:1e-6 ~callstack_size:0 { Gc.Memprof.null_tracker with alloc_minor = look; alloc_major = look };
  ignore (Gc.create_alarm (fun () -> if (Gc.quick_stat ()).Gc.heap_words > most_kept then raise Out_of_memory))

let read_lines lines =
  let place = ref 1 in
  match read (fun line -> incr place; words_of line) lines with
  | Inl reading -> reading
  | Inr (line, why) -> raise (Malformed (int_of_n line, why))
  | exception (Stack_overflow | Out_of_memory) -> raise (Malformed (!place, too_much))

let judge_all reading = (* where that is too much, one after the other, to say which certificate it is that goes beyond *)
  let before = !made in
  let alone c = try ignore (judge { reading with certificates_back = [ c ] }) with Stack_overflow | Out_of_memory ->
    raise (Malformed (int_of_n c.place, too_much)) in
  try judge reading with Stack_overflow | Out_of_memory ->
    made := before;
    List.iter alone (List.rev reading.certificates_back);
    raise Out_of_memory

(* -- the command -- *)

let find_program reading path = (* 0 if a program has these bytes, 1 if none, 2 if they cannot be read *)
  match Sha256.of_text (contents path) with
  | exception Unreadable path -> prerr_endline (path ^ ": cannot be read"); 2
  | hash -> (
      match List.find_opt (fun p -> p.target = hash) (List.rev reading.programs) with
      | Some p -> Printf.printf "%s: its certificates are those of '%s'\n" path p.name; 0
      | None -> Printf.printf "%s: no certificate is about it: its hash is %s\n" path hash; 1)

let say path text quiet timed program =
  let start = Sys.time () in
  let lines = lines_of text in
  let reading = read_lines lines and lines = Array.of_list lines in
  let other = Option.fold ~none:0 ~some:(find_program reading) program and ready = Sys.time () in
  let verdicts = judge_all reading in
  let judging = Sys.time () -. ready and sums = sum_up reading verdicts in
  let each (at, verdict) = (* the line where it begins; no verdict: it is open *)
    let id, rule, about = match words_of lines.(at - 1) with
      | _ :: id :: rule :: about -> id, rule, String.concat " " about | _ -> "", "", "" in
    match verdict with
    | None -> Printf.printf "%s: %s is open (%s: %s)\n" path id rule about
    | Some { says = Rejected (at, why); _ } -> Printf.printf "%s:%d: %s rejected: %s (%s: %s)\n" path (int_of_n at) id why rule about
    | Some { is_dead = dead; _ } ->
        if not quiet then Printf.printf "%s %s (%s: %s)\n" id (if dead then "accepted, dead" else "accepted") rule about in
  let heads = List.rev_append (List.rev_map (fun j -> int_of_n j.head, Some j) verdicts)
      (List.rev_map (fun at -> int_of_n at, None) reading.open_back) in
  List.iter each (List.sort (fun (a, _) (b, _) -> compare (a : int) b) heads);
  let n = int_of_n and rate time = float_of_int (int_of_n sums.all) /. (time +. 1e-6) in
  Printf.printf "%s: %d of %d certificates accepted, %d of them dead; they are about %d of %d obligations\n" path
    (n sums.accepted) (n sums.all) (n sums.accepted_dead) (n sums.shown) (n sums.owed);
  if timed then
    Printf.printf "read in %.3f ms, checked in %.3f ms: %.0f certificates per second (%.0f with reading)\n"
      ((ready -. start) *. 1e3) (judging *. 1e3) (rate judging) (rate (Sys.time () -. start));
  max other (if is_proved sums then 0 else 1)

let say_each path = (* the parts of a file of files; "-": of what comes in *)
  let channel = if path = "-" then stdin else open_in_bin path in
  let rejected j = match j.says with Rejected (line, why) -> Some (Printf.sprintf "rejected %d: %s" (int_of_n line) why) | Accepted -> None in
  let one lines =
    match read_lines (List.rev lines) with
    | exception Malformed (line, why) -> Printf.printf "malformed %d: %s\n" line why
    | reading ->
        let verdicts = judge reading in
        let found = if is_proved (sum_up reading verdicts) then Some "accepted" else List.find_map rejected verdicts in
        print_endline (Option.value found ~default:"rejected 0: an obligation is open, or there is none") in
  let rec go part =
    match input_line channel with
    | exception End_of_file -> one part
    | "halyard-certificates 2" when part <> [] -> one part; go [ "halyard-certificates 2" ]
    | line -> go (line :: part) in
  go []; 0

let () =
  let usage () = prerr_endline "usage: halyard-certcheck-coq [--quiet] [--time] [--each] [--program FILE.tgt] FILE"; exit 2 in
  let quiet = ref false and timed = ref false and each = ref false and program = ref None and path = ref None in
  let rec options = function
    | "--quiet" :: rest -> quiet := true; options rest | "--time" :: rest -> timed := true; options rest
    | "--each" :: rest -> each := true; options rest | "--program" :: tgt :: rest -> program := Some tgt; options rest
    | file :: rest when !path = None && file <> "" && (file.[0] <> '-' || (!each && file = "-")) -> path := Some file; options rest
    | [] -> () | _ -> usage () in
  options (List.tl (Array.to_list Sys.argv));
  match !path with None -> usage () | Some path -> (
      let all () = let text = contents path in limit (String.length text); say path text !quiet !timed !program in
      match let status = if !each then say_each path else all () in flush stdout; status with
      | status -> exit status
      | exception Unreadable path -> prerr_endline (path ^ ": cannot be read"); exit 2
      | exception Sys_error _ -> prerr_endline (path ^ ": the verdict cannot be written"); close_out_noerr stdout; exit 2
      | exception (Stack_overflow | Out_of_memory) ->
          Printf.eprintf "%s: %s: nothing in this file counts as proved\n" path too_much; exit 2
      | exception Malformed (line, why) ->
          Printf.eprintf "%s:%d: %s: nothing in this file counts as proved\n" path line why; exit 2)
