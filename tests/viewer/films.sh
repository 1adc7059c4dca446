#!/usr/bin/env bash
# Films of a run, by the command and by the page; two runs on one page.
source "$(dirname "$0")/tools.sh"
need_page
expect 0 "$stiction" run "$here/scene.json" --out run --quiet
expect 0 "$stiction" view run --no-open
expect 0 "$stiction" run "$here/scene.json" --set materials.gum.young=90kPa --set time.frame_rate=25Hz \
  --out other --quiet
expect 0 "$stiction" view run other --no-open
says stdout.txt "26 and 14 frames"
says stdout.txt "run/view-other.html"
expect 2 "$stiction" view run other run
says stderr.txt "run"
expect 2 "$stiction" view run nowhere
says stderr.txt "nowhere: there is no such folder"

expect 2 "$stiction" view run --video film.avi
says stderr.txt "ends in .webm or .mp4"
expect 2 "$stiction" view run --video film.webm --serve 0
says stderr.txt "--video goes with neither --out nor --serve"
expect 2 env PATH=/nowhere "$stiction" view run --video film.webm
says stderr.txt "none in PATH"
need_browser

# Few frames, as each is drawn by software here; the film is as long as it would be with all. Each is in it once, and
# the last one twice.
expect 0 "$stiction" view run --every 5 --video film.webm
says stdout.txt "film.webm is written"
[ "$(head -c 4 film.webm | od -An -tx1 | tr -d ' ')" = 1a45dfa3 ] || fail "film.webm is no WebM"
[ "$(stat -c %s film.webm)" -gt 10000 ] || fail "film.webm shows nothing"
expect 0 "$stiction" view run other --every 12 --video film.mp4
[ "$(head -c 12 film.mp4 | tail -c 8)" = ftypisom ] || fail "film.mp4 is no MP4"
if command -v ffprobe >/dev/null; then
  probe() { ffprobe -v error -count_frames -of csv=p=0 -show_entries "stream=$1:format=duration" "$2" >probed.txt; }
  probe width,height,nb_read_frames film.webm
  says probed.txt "1280,720,7"
  says probed.txt "5.600000"
  probe width,height,nb_read_frames film.mp4
  says probed.txt "1280,720,5"
  says probed.txt "5.600000"
else
  echo "ffprobe is not here: films were not looked into"
fi

serve served.txt run other
says served.txt "shows run beside other"
PAIR=$(address_in served.txt)
export PAIR
look two film
stop_servers
