# A throw-away environment for tests and benchmarks: a PostgreSQL cluster, certificates, and the variables that name them.

scratch=

# A killed run leaves its cluster and files behind; their names end with the process that made them.
scratch_remove_leftovers() {
    local home process
    for home in "$(cluster_home "test-$CHECKOUT_HASH" test)"-* "$STATE"/test-files-*; do
        process=${home##*-}
        [[ -d $home && $process =~ ^[0-9]+$ && ! -d /proc/$process ]] || continue
        # A cluster whose version of PostgreSQL is gone cannot run, and can still be removed.
        if CLUSTER_DATA=$home/data cluster_process >/dev/null; then
            cluster_use "$home" "$(socket_directory "-$process")" 500
            cluster_stop
        fi
        rm -rf "$home" "$(socket_directory "-$process")"
    done
}

# Makes it; `scratch` is the directory of its files afterwards.
scratch_make() {
    state_directory
    scratch_remove_leftovers
    cluster_use "$(cluster_home "test-$CHECKOUT_HASH-$$" "test-$$")" "$(socket_directory "-$$")" 500
    check_disk "$CLUSTER_HOME"
    scratch=$STATE/test-files-$$
    own_directory "$scratch"
    secret_ensure "$scratch/admin.password" openssl rand -hex 32
    secret_ensure "$scratch/test.password" openssl rand -hex 32
    cluster_create "$scratch/admin.password"
    cluster_start
    test_databases_create "$scratch/admin.password" "$scratch/test.password"
    test_certificates_make "$scratch/tls"
    # Where tests that start clusters of their own keep the data and the sockets of these.
    private_directory "$CLUSTER_HOME/scratch"

    local connection
    connection="host=$CLUSTER_SOCKETS port=$DATABASE_PORT user=trackme_test password=$(<"$scratch/test.password")"
    export TRACKME_TEST_DATABASE="$connection dbname=trackme_test"
    export TRACKME_TEST_KEYS_DATABASE="$connection dbname=trackme_test_keys"
    export TRACKME_TEST_TLS=$scratch/tls
    export TRACKME_TEST_PG_BIN=$POSTGRES_BIN
    TRACKME_TEST_PG_USER=$(postgres_user)
    export TRACKME_TEST_PG_USER
    export TRACKME_TEST_PG_DIRECTORY=$CLUSTER_HOME/scratch
    export TRACKME_TEST_PG_SOCKETS=$CLUSTER_SOCKETS
}

# Stops and removes it; also clusters that a test has made and, ending badly, left running.
scratch_remove() {
    [[ -n $scratch ]] || return 0
    find "$CLUSTER_HOME/scratch" -name postmaster.pid -printf '%h\n' 2>/dev/null | while IFS= read -r data; do
        # One that was frozen hears nothing.
        kill -CONT "$(head -n 1 "$data/postmaster.pid")" 2>/dev/null || true
        as_postgres "$POSTGRES_BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$data" </dev/null >/dev/null 2>&1
    done
    # The small disks of tests that ended badly.
    grep -oE " $CLUSTER_HOME/scratch/[^ ]+" /proc/mounts | xargs -r umount
    cluster_stop >&2 || true
    rm -rf "$scratch" "${CLUSTER_HOME:?}" "${CLUSTER_SOCKETS:?}"
}
