# Long programs that a script runs so that a signal is answered at once, not when the program ends.

readonly CHILD_SECONDS_MAX=20

child=

# Runs a command to its end, in a process group of its own: Ctrl-C reaches the script alone, whose exit trap calls
# `child_end`. Prints and returns what the command does.
run_child() {
    set -m
    "$@" </dev/null 9>&- &
    child=$!
    set +m
    local status=0
    wait "$child" || status=$?
    child=
    return "$status"
}

# Ends what `run_child` runs, if anything: SIGINT, which the Swift package manager hands on to its compilers (it answers
# SIGTERM by ending alone), a bounded wait, SIGKILL last.
child_end() {
    [[ -n $child ]] || return 0
    local deadline=$((SECONDS + CHILD_SECONDS_MAX))
    kill -INT -- "-$child" 2>/dev/null
    while kill -0 -- "-$child" 2>/dev/null; do
        if ((SECONDS >= deadline)); then
            say "Process $child does not end; killing it."
            kill -KILL -- "-$child" 2>/dev/null
        fi
        sleep 0.1
    done
    wait "$child" 2>/dev/null
    child=
}
