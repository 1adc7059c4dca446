# Cases of contact between bodies: their meshes are sound, the program accepts their scenes, and what a run did is read,
# measured and told. Whether contact gets them right is not asked here.
. "$STICTION_SOURCE/tests/app/tools.sh"
/usr/bin/python3 -c 'import numpy' 2>/dev/null || exit 77
cases() { "$STICTION_SOURCE/tests/campaigns/campaign" contact-cases "$@"; }

expect 0 cases list
says stdout.txt "slide-unstructured-8"
expect 0 /usr/bin/python3 "$STICTION_SOURCE/tests/campaigns/check_contact_cases.py" "$stiction"

expect 0 cases run point-on-vertex --program "$stiction" --method smooth --out out
says stdout.txt "| point-on-vertex | no failure |"
says stdout.txt "1 of 1 cases are as wanted."
expect 0 cases report out/results.json
says stdout.txt "1 of 1 cases are as wanted."

# Forces are read by pair, in either order of the names.
expect 0 cases run jaws-pushed-strip --program "$stiction" --out out
says stdout.txt "20 N on the cloth, 20 N below it, 0 N between the jaws"

# A needle that falls through without a vertex inside anything at any frame is told.
expect 1 cases run needle-body-20 --program "$stiction" --method smooth --out out
says stdout.txt "passages"
expect 1 cases run no-such-case
says stderr.txt "no case or group is called \"no-such-case\""
