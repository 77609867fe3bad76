# The sandbox broker of a suite of a checkout that was started with prices. The suite does without it when it cannot run.

BROKER_PROCESS=
BROKER_RESTARTS=0

# Makes the secrets of both directions, for query and the broker. Argument: the directory of the services' files.
broker_secrets_ensure() {
    local name
    for name in broker broker-call-back; do
        secret_ensure "$1/simulator/$name.secret" webhook_secret
        install -m 0600 "$1/simulator/$name.secret" "$1/query/$name.secret"
    done
}

# Argument: the directory of the programs.
broker_start() {
    local log=$STATE/logs/broker.log
    log_rotate "$log"
    # It ends with this script, however that ends.
    setsid "$1/trackme-simulator" broker --config-directory "$STATE/config" </dev/null >>"$log" 2>&1 9>&- &
    BROKER_PROCESS=$!
    printf '%d\n' "$!" >"$STATE/processes/broker"
}

# Starts it again when it has ended, a few times. Argument: that of broker_start.
broker_revive() {
    [[ -n $BROKER_PROCESS ]] || return 0
    ! kill -0 "$BROKER_PROCESS" 2>/dev/null || return 0
    local status=0
    wait "$BROKER_PROCESS" || status=$?
    BROKER_RESTARTS=$((BROKER_RESTARTS + 1))
    if ((BROKER_RESTARTS > RESTARTS_MAX)); then
        BROKER_PROCESS=
        rm -f "$STATE/processes/broker"
        step "The sandbox broker has ended $BROKER_RESTARTS times, the last time with status $status; going on without it (log: $STATE/logs/broker.log)"
        return 0
    fi
    step "The sandbox broker ended with status $status; starting it again (log: $STATE/logs/broker.log)"
    broker_start "$@"
}

broker_stop() {
    [[ -z $BROKER_PROCESS ]] || processes_end "$BROKER_PROCESS"
    BROKER_PROCESS=
}
