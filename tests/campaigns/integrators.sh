# integrators compares them on motions with a known answer.
. "$STICTION_SOURCE/tests/app/tools.sh"
/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77

expect 0 "$STICTION_SOURCE/tests/campaigns/campaign" integrators --program "$stiction" --integrators be bdf2 --case "free fall, way"
says stdout.txt "| error | be | bdf2 |"
says stdout.txt "| free fall, way | +2.00 % | +0.06 % |"
