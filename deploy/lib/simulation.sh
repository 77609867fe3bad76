# The simulated people who go on living while a suite of a checkout runs. It does without them when they cannot.

readonly SIMULATED_PEOPLE_MAX=300

SIMULATION_PROCESS=
SIMULATION_RESTARTS=0

# Makes the sandbox for third parties where there is none, and writes down who is in it, as a shell reads it: .trackme/sandbox.sh.
# Argument: the directory of the programs.
sandbox_ensure() {
    local made=$STATE/services/simulator/sandbox
    if [[ ! -s $made ]]; then
        step "Making the sandbox for third parties"
        run_child "$1/trackme-simulator" sandbox --config-directory "$STATE/config" ||
            die "the sandbox could not be made; the simulator's message stands above."
    fi
    # The addresses are those of this run.
    {
        printf 'BASE=%s\nTOKEN_URL=%s/accounts/v1/oauth/token\nHOOKS=http://127.0.0.1:%d\n' \
            "$(base_url)" "$(base_url)" "$(sandbox_port)"
        cat "$made"
    } >"$STATE/sandbox.sh"
}

# Arguments: the directory of the programs, the size of the population.
simulation_start() {
    local log=$STATE/logs/simulator.log
    log_rotate "$log"
    # It ends with this script, however that ends, so that none is ever left behind.
    setsid "$1/trackme-simulator" live --people "$SIMULATED_PEOPLE_MAX" --population "$2" \
        --config-directory "$STATE/config" </dev/null >>"$log" 2>&1 9>&- &
    SIMULATION_PROCESS=$!
    printf '%d\n' "$!" >"$STATE/processes/simulator"
}

# Starts it again when it has ended, a few times. Arguments: those of simulation_start.
simulation_revive() {
    [[ -n $SIMULATION_PROCESS ]] || return 0
    ! kill -0 "$SIMULATION_PROCESS" 2>/dev/null || return 0
    local status=0
    wait "$SIMULATION_PROCESS" || status=$?
    SIMULATION_RESTARTS=$((SIMULATION_RESTARTS + 1))
    if ((SIMULATION_RESTARTS > RESTARTS_MAX)); then
        SIMULATION_PROCESS=
        rm -f "$STATE/processes/simulator"
        step "The simulated people have ended $SIMULATION_RESTARTS times, the last time with status $status; going on without them (log: $STATE/logs/simulator.log)"
        return 0
    fi
    step "The simulated people ended with status $status; starting them again (log: $STATE/logs/simulator.log)"
    simulation_start "$@"
}

simulation_stop() {
    [[ -z $SIMULATION_PROCESS ]] || processes_end "$SIMULATION_PROCESS"
    SIMULATION_PROCESS=
}
