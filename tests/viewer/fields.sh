#!/usr/bin/env bash
# Fields in the page: scales, components, deformation, held vertices, cuts.
source "$(dirname "$0")/tools.sh"
need_page
need_browser
expect 0 "$stiction" run "$here/fields.json" --out beam --quiet
expect 0 "$stiction" view beam --no-open
serve served.txt beam
ADDRESS=$(address_in served.txt)
export ADDRESS
look fields
stop_servers
