#!/usr/bin/env bash
# write_files.sh HALYARD DIR: what is installed for people who type: DIR/share/man/man1, and completion in the places where
# each shell looks.
set -eu
halyard=$1 share=$2/share
rm -rf "$share"
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$halyard" man halyard >"$share/man/man1/halyard.1"
"$halyard" man halyard-certcheck >"$share/man/man1/halyard-certcheck.1"
for verb in $("$halyard" help | sed -nE 's/^  halyard ([a-z]+).*/\1/p'); do
  "$halyard" man "$verb" >"$share/man/man1/halyard-$verb.1"
done
"$halyard" completion bash >"$share/bash-completion/completions/halyard"
"$halyard" completion zsh >"$share/zsh/site-functions/_halyard"
"$halyard" completion fish >"$share/fish/vendor_completions.d/halyard.fish"
