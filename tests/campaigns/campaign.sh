# The entry point of the campaigns, and the two that need no numpy.
. "$STICTION_SOURCE/tests/app/tools.sh"
campaign=$STICTION_SOURCE/tests/campaigns/campaign

expect 0 "$campaign" --help
for name in random-scenes contact-cases hard-steps passages scale tunables; do says stdout.txt "campaign $name"; done
expect 2 "$campaign" nonsense
says stderr.txt 'there is no "nonsense"'

expect 0 "$campaign" passages --count 2 --program "$stiction" --out throws
says stdout.txt "0 of 2 passed"
expect 0 "$campaign" scale --tets 3000 --contacts 100 --bodies 4 --steps 2 --program "$stiction" --out grown
says stdout.txt "| 4 | dominoes |"
