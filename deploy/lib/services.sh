# Starting, watching and stopping the five services of a checkout.

readonly READY_SECONDS_MAX=60
readonly STOP_SECONDS_MAX=30
readonly RESTARTS_MAX=5
readonly LOG_BYTES_MAX=20000000

declare -A SERVICE_PROCESS=()
declare -A SERVICE_RESTARTS=()

# Puts a log that has grown too long aside, before it is opened. Argument: its file.
log_rotate() {
    if [[ -f $1 ]] && (($(stat -c %s "$1") > LOG_BYTES_MAX)); then
        mv "$1" "$1.1"
    fi
}

# Arguments: the directory of the programs, service.
service_start() {
    local program=$1/trackme-$2 log=$STATE/logs/$2.log
    [[ -x $program ]] || die "$program is missing; the build did not make it."
    log_rotate "$log"
    # In a session of its own, so that Ctrl-C reaches this script alone, which then stops everything in order.
    GLIBC_TUNABLES=$SERVICE_TUNABLES setsid "$program" serve --config "$STATE/config/$2.json" </dev/null >>"$log" 2>&1 9>&- &
    SERVICE_PROCESS[$2]=$!
    printf '%d\n' "$!" >"$STATE/processes/$2"
}

service_running() { kill -0 "${SERVICE_PROCESS[$1]}" 2>/dev/null; }

# Shows the last lines of a service's log.
service_log_tail() {
    say "--- the end of $STATE/logs/$1.log"
    tail -n 20 "$STATE/logs/$1.log" >&2 || true
    say "---"
}

service_ready() { curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$(operators_port "$1")/readyz"; }

# Waits until all services are ready; ends the script when one ends itself or takes too long.
services_wait_ready() {
    local service deadline=$((SECONDS + READY_SECONDS_MAX))
    for service in "${SERVICES[@]}"; do
        until service_ready "$service"; do
            services_check_started
            if ((SECONDS >= deadline)); then
                service_log_tail "$service"
                die "the $service service was not ready within $READY_SECONDS_MAX s; the end of its log stands above."
            fi
            sleep 0.2
        done
    done
    services_check_started
}

services_check_started() {
    local service status=0
    for service in "${SERVICES[@]}"; do
        service_running "$service" && continue
        wait "${SERVICE_PROCESS[$service]}" || status=$?
        service_log_tail "$service"
        die "the $service service ended with status $status while starting; the end of its log stands above."
    done
}

# Starts services again that have ended. Argument: the directory of the programs.
services_revive() {
    local service status
    for service in "${SERVICES[@]}"; do
        service_running "$service" && continue
        status=0
        wait "${SERVICE_PROCESS[$service]}" || status=$?
        SERVICE_RESTARTS[$service]=$((${SERVICE_RESTARTS[$service]:-0} + 1))
        if ((SERVICE_RESTARTS[$service] > RESTARTS_MAX)); then
            service_log_tail "$service"
            die "the $service service has ended $((RESTARTS_MAX + 1)) times, the last time with status $status; stopping everything."
        fi
        step "The $service service ended with status $status; starting it again (log: $STATE/logs/$service.log)"
        service_start "$1" "$service"
    done
}

# Ends the given processes: SIGTERM, a bounded wait, SIGKILL last.
processes_end() {
    local process deadline=$((SECONDS + STOP_SECONDS_MAX))
    for process in "$@"; do
        kill -TERM "$process" 2>/dev/null || true
    done
    for process in "$@"; do
        while kill -0 "$process" 2>/dev/null; do
            if ((SECONDS >= deadline)); then
                say "Process $process does not end; killing it."
                kill -KILL "$process" 2>/dev/null || true
                # Takes the status before the shell reports the killing in its own words; not every process is its child.
                wait "$process" 2>/dev/null || true
                break
            fi
            sleep 0.1
        done
    done
}

services_stop() {
    ((${#SERVICE_PROCESS[@]} == 0)) || processes_end "${SERVICE_PROCESS[@]}"
    rm -f "$STATE"/processes/*
}

# Ends services that a killed `deploy/run` of this checkout has left behind.
services_stop_leftovers() {
    local service process left=()
    for service in "${SERVICES[@]}"; do
        process=$(cat "$STATE/processes/$service" 2>/dev/null) || continue
        [[ $process =~ ^[0-9]+$ ]] || continue
        if tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -qF -- "--config $STATE/config/$service.json"; then
            left+=("$process")
        fi
    done
    if ((${#left[@]})); then
        say "Ending services that an earlier run has left behind."
        processes_end "${left[@]}"
    fi
    rm -f "$STATE"/processes/*
}
