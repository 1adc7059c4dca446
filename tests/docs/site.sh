#!/usr/bin/env bash
# The site is rendered completely, and a broken link is an error.
source "$(dirname "$0")/../app/tools.sh"
packages=$STICTION_BUILD/site-packages

# A small run, packed, and the name of a video, as site/media leaves them.
mkdir -p media/live media/videos
cat >live.json <<'JSON'
{
  "materials": { "gel": { "young": "200 kPa", "poisson": 0.4 } },
  "bodies": { "cube": { "shape": { "type": "box", "edge": "50 cm" } } },
  "time": { "duration": "50 ms", "step": "10 ms" }
}
JSON
"$stiction" run live.json --out live --quiet
printf 'video' >media/videos/slide.webm
packed=true
"$stiction" view live --out media/live/swing.html --no-open >stdout.txt 2>stderr.txt || packed=false

code=0
"$STICTION_SOURCE/site/render" site "$packages" media >stdout.txt 2>stderr.txt || code=$?
[ "$code" -ne 77 ] || { cat stderr.txt; exit 77; }
[ "$code" -eq 0 ] || { cat stderr.txt >&2; fail "the site was not rendered"; }
says stdout.txt "open $PWD/site/index.html"

for page in quickstart tutorial gallery live coming-from failures cluster physics scene python; do
  [ -s "site/$page.html" ] || fail "there is no $page.html"
  says site/index.html "href=\"$page.html\""
done
says site/physics.html 'class="katex-display"'
lacks site/physics.html 'class="katex-error"'
says site/tutorial.html 'class="hljs-string"'
says site/c-interface.html 'href="files/examples/c/drop.c.html"'
says site/files/examples/c/drop.c.html 'href="../../../site.css"'
says site/gallery.html 'src="pictures/cloth.webp"'
[ -s site/pictures/cloth.webp ] || fail "a picture was left behind"
says site/gallery.html '<video src="videos/slide.webm" poster="pictures/slide.webp"'
cmp media/videos/slide.webm site/videos/slide.webm
says site/search-index.js '"address":"physics.html"'
says site/search-index.js 'anchored-friction'
if $packed; then
  says site/live.html '<iframe src="live/swing.html"'
  cmp media/live/swing.html site/live/swing.html
fi
[ -s site/fonts/KaTeX_Main-Regular.woff2 ] || fail "the fonts of formulas were left behind"
# Opened from a disk, a page can only have what lies beside it.
! grep -rE '<(img|link|script)[^>]*="(https?:)?//' site --include='*.html' >outside.txt ||
  fail "pages need a network: $(cat outside.txt)"

# The same with a mistake in it.
mkdir tree
for path in README.md CONTRIBUTING.md CHANGELOG.md LICENSE docs examples include schema scripts src tests; do
  ln -s "$STICTION_SOURCE/$path" "tree/$path"
done
rm tree/docs
cp -r "$STICTION_SOURCE/docs" tree/docs
printf '\n[a](nowhere.md) [b](running.md#no-such-place)\n' >>tree/docs/notation.md
line=$(wc -l <tree/docs/notation.md)
expect 1 node "$packages/build.js" "$PWD/tree" "$PWD/broken"
says stderr.txt "docs/notation.md:$line: the link nowhere.md is broken: there is no docs/nowhere.md"
says stderr.txt "docs/running.md has no heading #no-such-place"
[ ! -e broken ] || fail "a broken site was written"
sed -i '$d' tree/docs/notation.md
expect 0 node "$packages/build.js" "$PWD/tree" "$PWD/mended"
says mended/live.html 'make site' # there are no media
lacks mended/gallery.html '<video'
printf '\n```math\n\\frac{1}{\n```\n' >>tree/docs/notation.md
expect 1 node "$packages/build.js" "$PWD/tree" "$PWD/mended"
says stderr.txt "docs/notation.md:$((line + 1)): the formula"

modules=$STICTION_BUILD/viewer/node_modules
if ! command -v chromium >/dev/null || [ ! -d "$modules/playwright-core" ]; then
  echo "no browser is here: the pages were not looked at"
  exit 0
fi
ln -s "$modules" node_modules
cp "$STICTION_SOURCE/tests/viewer/browser.js" "$STICTION_SOURCE/tests/docs/pages.js" .
cp "$STICTION_BUILD/viewer/package.json" .
expect 0 node --test pages.js
