# Help of all commands, and messages for unknown ones.
. "$STICTION_SOURCE/tests/app/tools.sh"

expect 0 "$stiction" --help
for command in run check resume stop mesh list schema; do
  says stdout.txt "  $command"
done
says stdout.txt "Exit codes:"
says stdout.txt "130"
cp stdout.txt help.txt
expect 0 "$stiction" help
cmp stdout.txt help.txt
expect 0 "$stiction" -h
cmp stdout.txt help.txt

for command in run check resume stop mesh list schema; do
  expect 0 "$stiction" help $command
  says stdout.txt "Usage: stiction $command"
  says stdout.txt "Examples:"
  cp stdout.txt help.txt
  expect 0 "$stiction" $command --help
  cmp stdout.txt help.txt
  expect 0 "$stiction" $command nonsense --bad -h
  cmp stdout.txt help.txt
  [ ! -s stderr.txt ] || fail "help of $command wrote to stderr"
done

expect 0 "$stiction" --version
grep -qE '^stiction [0-9]+\.[0-9]+\.[0-9]+$' stdout.txt || fail "odd version"

expect 2 "$stiction"
says stdout.txt "Usage: stiction COMMAND"
expect 2 "$stiction" rum scene.json
says stderr.txt "there is no command 'rum'; did you mean 'run'?"
expect 2 "$stiction" help chekc
says stderr.txt "did you mean 'check'?"
expect 2 "$stiction" frobnicate
says stderr.txt "there is no command 'frobnicate'"
lacks stderr.txt "did you mean"

expect 2 "$stiction" run
says stderr.txt "stiction run: a scene is needed"
expect 2 "$stiction" run a.json b.json
says stderr.txt "'b.json' is an unexpected argument"
expect 2 "$stiction" run a.json --overwrit
says stderr.txt "did you mean --overwrite?"
expect 2 "$stiction" resume
says stderr.txt "the folder of a run is needed"
expect 2 "$stiction" check
says stderr.txt "a scene is needed"

# A full disk is not silently a success.
code=0
"$stiction" --help >/dev/full 2>stderr.txt || code=$?
[ "$code" -eq 3 ] || fail "output to a full disk ended with $code"
