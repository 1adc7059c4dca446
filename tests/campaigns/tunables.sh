# tunables measures scenes with a tunable at another value: the table compares with the initial values, which are kept.
. "$STICTION_SOURCE/tests/app/tools.sh"
/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77
tunables() { "$STICTION_SOURCE/tests/campaigns/campaign" tunables "$@"; }

expect 0 tunables list
says stdout.txt "random-3-14"
expect 0 tunables measure armijo=1e-4 default_residual=1e-3,default_change=1e-2 --scene random-1-14 --program "$stiction" --out out
says stdout.txt "| initial | 0 of 1 |"
says stdout.txt "| armijo=1e-4 | 0 of 1 | +0.0 % | +0.0 % | +0.0 % |"
says stdout.txt "| default_residual=1e-3,default_change=1e-2 | 1 of 1 |"

# What is known is not measured again.
expect 0 tunables measure armijo=1e-4 --scene random-1-14 --program /nowhere --out out
says stdout.txt "| armijo=1e-4 | 0 of 1 |"

expect 1 tunables measure armijoo=1 --scene random-1-14 --program "$stiction" --out out
says stdout.txt "random-1-14 refused"
