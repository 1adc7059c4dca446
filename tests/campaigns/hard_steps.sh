# hard-steps records a state and takes the steps after it: once from a run's start, once from a checkpoint.
. "$STICTION_SOURCE/tests/app/tools.sh"
/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77
steps() { "$STICTION_SOURCE/tests/campaigns/campaign" hard-steps "$@"; }

expect 0 steps list
says stdout.txt "arch"
expect 0 steps record stack-10 crumple-start --program "$stiction" --folder hard
expect 0 steps measure stack-10 crumple-start arch --program "$stiction" --folder hard
says stdout.txt "| stack-10 | stiction | policy | finished |"
says stdout.txt "| crumple-start | stiction | policy | finished |"
says stdout.txt "| arch | stiction | policy | not recorded |"
expect 2 steps measure nonsense --folder hard
says stderr.txt "there is no \"nonsense\""
