# What is installed besides the program: man pages and completion, made from the texts of --help.
. "$STICTION_SOURCE/tests/app/tools.sh"

# Every command has a man page with its options.
commands=$("$stiction" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 13 ] || fail "too few commands: $commands"
expect 0 "$stiction" manual
for command in $commands; do
  says stdout.txt ".BR stiction-$command (1)"
done
for command in $commands; do
  expect 0 "$stiction" manual "$command"
  head -1 stdout.txt | grep -q "^.TH stiction-$command 1" || fail "no heading in the page of $command"
  for option in $("$stiction" help "$command" | sed -nE 's/^  (-o, )?--([a-z]+).*/\2/p'); do
    says stdout.txt "\\-\\-$option"
  done
  if command -v man >/dev/null; then
    man --warnings -l stdout.txt >page.txt 2>warnings.txt || true
    [ ! -s warnings.txt ] || { cat warnings.txt; fail "man complains of the page of $command"; }
  fi
done
expect 2 "$stiction" manual nonsense

# Completion knows the same commands and options.
expect 0 "$stiction" completion bash
cp stdout.txt stiction.bash
bash -n stiction.bash
complete_line() { # WORDS…: what would be offered for the last one
  bash -c 'source ./stiction.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stiction; echo "${COMPREPLY[*]}"' - "$@"
}
[ "$(complete_line stiction sw)" = sweep ] || fail "sw is not completed to sweep"
[ "$(complete_line stiction run --ov)" = --overwrite ] || fail "--ov is not completed"
[ "$(complete_line stiction mesh --tol)" = --tolerance ] || fail "--tol is not completed"
for shell in zsh fish; do
  expect 0 "$stiction" completion $shell
  for command in $commands; do
    says stdout.txt "$command"
  done
  if command -v $shell >/dev/null; then
    $shell -n stdout.txt || fail "$shell does not take its completion"
  fi
done
expect 2 "$stiction" completion tcsh

# Hints name the program as it was called.
scene bar.json 0.02
ln -s "$stiction" here
expect 0 ./here run bar.json --out bar
says stdout.txt "To look at them: ./here view bar"
expect 2 ./here run bar.json --out bar
says stderr.txt '"./here resume bar"'

# What a summary says of its origin.
for key in written host commit libraries petsc mpi hdf5; do
  says bar/summary.json "\"$key\": "
done
