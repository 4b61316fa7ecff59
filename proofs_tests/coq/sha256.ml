(* The hash by which a file of certificates names a program, of its text: SHA-256 (FIPS 180-4). No verdict rests on it. *)
let of_text text =
  let bits x = x land 0xffffffff in
  let turned x by = bits ((x lsr by) lor (x lsl (32 - by))) in
  let rec primes n found = (* the first n *)
    let rec next k = if List.exists (fun p -> k mod p = 0) found then next (k + 1) else k in
    if List.length found = n then List.rev found else primes n (next (1 + List.fold_left max 1 found) :: found) in
  let fraction root p = let x = root (float_of_int p) in int_of_float ((x -. floor x) *. 4294967296.) in
  let rounds = Array.of_list (List.map (fraction Float.cbrt) (primes 64 [])) in
  let hash = Array.of_list (List.map (fraction sqrt) (primes 8 [])) and length = String.length text in
  let padded = Bytes.make ((length + 72) / 64 * 64) '\000' in
  Bytes.blit_string text 0 padded 0 length;
  Bytes.set padded length '\x80';
  Bytes.set_int64_be padded (Bytes.length padded - 8) (Int64.of_int (8 * length));
  for block = 0 to (Bytes.length padded / 64) - 1 do
    let w = Array.init 64 (fun i -> if i < 16 then bits (Int32.to_int (Bytes.get_int32_be padded ((64 * block) + (4 * i)))) else 0) in
    for i = 16 to 63 do
      let mixed x a b c = turned x a lxor turned x b lxor (x lsr c) in
      w.(i) <- bits (w.(i - 16) + mixed w.(i - 15) 7 18 3 + w.(i - 7) + mixed w.(i - 2) 17 19 10)
    done;
    let x = Array.copy hash in
    for i = 0 to 63 do
      let e = turned x.(4) 6 lxor turned x.(4) 11 lxor turned x.(4) 25 and choice = x.(4) land x.(5) lxor (lnot x.(4) land x.(6)) in
      let a = turned x.(0) 2 lxor turned x.(0) 13 lxor turned x.(0) 22 in
      let majority = x.(0) land x.(1) lxor (x.(0) land x.(2)) lxor (x.(1) land x.(2)) in
      let first = x.(7) + e + choice + rounds.(i) + w.(i) in
      Array.blit x 0 x 1 7;
      x.(4) <- bits (x.(4) + first);
      x.(0) <- bits (first + a + majority)
    done;
    Array.iteri (fun i y -> hash.(i) <- bits (hash.(i) + y)) x
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") hash))
