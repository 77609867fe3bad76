# The simulator beside a suite of a checkout: the simulated people who go on living, the sandbox broker of a suite with prices, the
# sandbox for third parties. The suite does without the programs that go on beside it when they cannot run.

declare -A SIMULATOR_PROCESS=()
declare -A SIMULATOR_COMMAND=()
declare -A SIMULATOR_RESTARTS=()

# Makes the secrets of both directions, for each payee and the broker. Argument: the directory of the services' files.
broker_secrets_ensure() {
    local payee name
    for payee in "${PAYEES[@]}"; do
        for name in broker broker-call-back; do
            secret_ensure "$1/simulator/$payee-$name.secret" webhook_secret
            install -m 0600 "$1/simulator/$payee-$name.secret" "$1/$payee/$name.secret"
        done
    done
}

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

# Starts one of the programs that go on beside the suite. Arguments: the directory of the programs, the name of its log and in
# messages, the simulator's command and its arguments, none with a space in it.
simulator_start() {
    local name=$2 log=$STATE/logs/$2.log
    log_rotate "$log"
    # It ends with this script, however that ends, so that none is ever left behind.
    setsid "$1/trackme-simulator" "${@:3}" --config-directory "$STATE/config" </dev/null >>"$log" 2>&1 9>&- &
    SIMULATOR_PROCESS[$name]=$!
    SIMULATOR_COMMAND[$name]=${*:3}
    printf '%d\n' "$!" >"$STATE/processes/$name"
}

# Starts those again that have ended, each a few times. Argument: the directory of the programs.
simulators_revive() {
    local name status command
    for name in "${!SIMULATOR_PROCESS[@]}"; do
        ! kill -0 "${SIMULATOR_PROCESS[$name]}" 2>/dev/null || continue
        status=0
        wait "${SIMULATOR_PROCESS[$name]}" || status=$?
        SIMULATOR_RESTARTS[$name]=$((${SIMULATOR_RESTARTS[$name]:-0} + 1))
        if ((SIMULATOR_RESTARTS[$name] > RESTARTS_MAX)); then
            unset "SIMULATOR_PROCESS[$name]"
            rm -f "$STATE/processes/$name"
            step "The $name has ended $((RESTARTS_MAX + 1)) times, the last time with status $status; going on without it (log: $STATE/logs/$name.log)"
            continue
        fi
        step "The $name ended with status $status; starting it again (log: $STATE/logs/$name.log)"
        read -ra command <<<"${SIMULATOR_COMMAND[$name]}"
        simulator_start "$1" "$name" "${command[@]}"
    done
}

simulators_stop() {
    ((${#SIMULATOR_PROCESS[@]} == 0)) || processes_end "${SIMULATOR_PROCESS[@]}"
}
