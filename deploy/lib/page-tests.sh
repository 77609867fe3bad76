#!/usr/bin/env bash
# Tries the pages in a browser: starts a suite of its own with nginx in front (release build, ports 18100 and up), runs
# Tests/Pages, stops it. Arguments: [--screenshots DIR] [names of tests, as Python's unittest takes them]. What measures
# (measure_race, measure_health) wants a quiet machine, and runs only when it is named.
set -euo pipefail
shopt -s inherit_errexit

export TRACKME_SUITE=pages
DEPLOY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
for part in messages children layout packages checks; do
    # shellcheck source=/dev/null
    source "$DEPLOY/lib/$part.sh"
done

# Beside the suite's own files, which it begins by removing.
readonly TOOLS=$STATE-tools
readonly PEOPLE=1200
readonly PORT_BASE=10000
readonly READY_SECONDS_MAX=900
readonly STOP_SECONDS_MAX=60
# These stop services: before all others, and alone.
readonly DISRUPTIVE=(test_bad_days)
# These and the rest run beside each other, since a browser leaves a processor idle half of the time. They have no person or
# request in common.
readonly BESIDE=(test_every_page test_firefox test_individual test_log_in test_proxy test_registration test_third_party)

suite=
stop_suite() {
    local status=$? deadline=$((SECONDS + STOP_SECONDS_MAX))
    trap - EXIT
    trap '' INT TERM HUP PIPE
    set +e
    child_end
    if ((status != 0)) && compgen -G "$STATE/logs/*.log" >/dev/null; then
        step "The last warnings and errors of the services"
        grep -hE '"level":"(warning|error)"' "$STATE"/logs/*.log | sort | tail -n 40 >&2
    fi
    if [[ -n $suite ]]; then
        # Started in the background by a script, it ignores INT.
        kill -TERM "$suite" 2>/dev/null
        while kill -0 "$suite" 2>/dev/null && ((SECONDS < deadline)); do sleep 0.2; done
        kill -KILL "$suite" 2>/dev/null
    fi
    exit "$status"
}
trap stop_suite EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP PIPE

if [[ ${1:-} == --screenshots ]]; then
    [[ -n ${2:-} ]] || die "--screenshots needs a directory."
    TRACKME_PAGES_SCREENSHOTS=$(realpath -m "$2")
    export TRACKME_PAGES_SCREENSHOTS
    shift 2
fi

check_distribution
install_for_pages_tests
state_directory
if ! cmp -s "$CHECKOUT/Tests/Pages/requirements.txt" "$TOOLS/requirements.txt"; then
    step "Installing what drives the browser"
    rm -rf "$TOOLS"
    python3 -m venv "$TOOLS"
    # Of the one that carries axe-core a file is used and no code, so that it needs nothing of its own.
    grep -v axe-playwright "$CHECKOUT/Tests/Pages/requirements.txt" | grep -v '^#' |
        "$TOOLS/bin/pip" install --quiet --disable-pip-version-check -r /dev/stdin
    grep '^axe-playwright' "$CHECKOUT/Tests/Pages/requirements.txt" |
        "$TOOLS/bin/pip" install --quiet --disable-pip-version-check --no-deps -r /dev/stdin
    cp "$CHECKOUT/Tests/Pages/requirements.txt" "$TOOLS/requirements.txt"
fi

# Browsers have passkeys for names only.
# shellcheck disable=SC2034 # proxy_port adds it
PORT_SHIFT=$PORT_BASE
TRACKME_PAGES_BASE=http://localhost:$(proxy_port)
export TRACKME_BASE_URL=$TRACKME_PAGES_BASE
# Data measured already and answers about groups cost something, so that paying is tried, too; subscriptions, which most tests are
# about, do not.
export TRACKME_PRICES='{"single_once": 500, "group_once": 2000}'
step "Starting a suite for the browser"
log=$STATE.log
# What is waited for may stand in that of the last time.
: >"$log"
setsid "$DEPLOY/run" --fresh --payments --people "$PEOPLE" --port-base "$PORT_BASE" </dev/null >"$log" 2>&1 &
suite=$!
deadline=$((SECONDS + READY_SECONDS_MAX))
until grep -q '^Ctrl-C stops everything' "$log"; do
    kill -0 "$suite" 2>/dev/null || { tail -n 30 "$log" >&2 && suite= && die "the suite did not start."; }
    ((SECONDS < deadline)) || { tail -n 30 "$log" >&2 && die "the suite was not ready within $READY_SECONDS_MAX s."; }
    sleep 0.5
done

step "Trying the pages"
export TRACKME_PAGES_BASE TRACKME_PAGES_STATE=$STATE PYTHONDONTWRITEBYTECODE=1
cd "$CHECKOUT/Tests/Pages"
try() { "$TOOLS/bin/python" -W ignore::ResourceWarning -m unittest --verbose "$@"; }

# Tries two groups of tests beside each other; what the first says is printed in the end. Arguments: names, --, names.
try_beside() {
    local first=() output status=0
    while [[ $1 != -- ]]; do
        first+=("$1")
        shift
    done
    shift
    output=$(mktemp)
    try "${first[@]}" >"$output" 2>&1 &
    try "$@" || status=$?
    wait $! || status=$?
    cat "$output" >&2
    rm "$output"
    return "$status"
}

if (($#)); then
    run_child try "$@"
else
    rest=()
    for file in test_*.py; do
        [[ " ${DISRUPTIVE[*]} ${BESIDE[*]} " == *" ${file%.py} "* ]] || rest+=("${file%.py}")
    done
    run_child try "${DISRUPTIVE[@]}"
    run_child try_beside "${BESIDE[@]}" -- "${rest[@]}"
fi
