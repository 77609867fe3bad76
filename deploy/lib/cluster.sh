# A private PostgreSQL cluster. Only the data directory named by `cluster_use` is ever made, started, stopped or removed.

readonly POSTGRES_OLDEST=15
readonly CLUSTER_ROOT=/var/lib/trackme-dev
readonly CLUSTER_ROOT_USER=trackme-dev

# Prints the directory of PostgreSQL's programs: of one major version, or else of the highest that is new enough.
postgres_bin() {
    local directory version
    while IFS= read -r directory; do
        version=${directory%/bin}
        version=${version##*/}
        [[ $version =~ ^[0-9]+$ && -x $directory/initdb && -x $directory/psql ]] || continue
        if [[ -n ${1:-} ]]; then
            [[ $version == "$1" ]] || continue
        elif ((version < POSTGRES_OLDEST)); then
            continue
        fi
        printf '%s' "$directory"
        return 0
    done < <(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV)
    return 1
}

# Names the cluster that the other functions work on.
# Arguments: its home (made below CLUSTER_ROOT under root), socket directory, connections at most. It listens on its socket
# only: a port could be held by any client's connection.
cluster_use() {
    CLUSTER_HOME=$1
    CLUSTER_DATA=$1/data
    CLUSTER_SOCKETS=$2
    CLUSTER_CONNECTIONS_MAX=$3
    local version=
    [[ -f $CLUSTER_DATA/PG_VERSION ]] && version=$(<"$CLUSTER_DATA/PG_VERSION")
    POSTGRES_BIN=$(postgres_bin "$version") || {
        [[ -n $version ]] || die "no PostgreSQL $POSTGRES_OLDEST or later below /usr/lib/postgresql."
        die "the data in $CLUSTER_HOME is of PostgreSQL $version, which is not installed; install postgresql-$version or start over with --fresh."
    }
}

# The user PostgreSQL runs as: it refuses root.
postgres_user() {
    if ((EUID == 0)); then
        printf '%s' "$CLUSTER_ROOT_USER"
    else
        id -un
    fi
}

# Prints where a cluster of this name has its home. PostgreSQL's user cannot reach a checkout below root's home.
cluster_home() {
    if ((EUID == 0)); then
        printf '%s/%s' "$CLUSTER_ROOT" "$1"
    else
        printf '%s/%s' "$STATE" "$2"
    fi
}

as_postgres() {
    if ((EUID == 0)); then
        (cd / && exec runuser -u "$CLUSTER_ROOT_USER" -- "$@")
    else
        "$@"
    fi
}

ensure_postgres_user() {
    ((EUID == 0)) || return 0
    id "$CLUSTER_ROOT_USER" >/dev/null 2>&1 ||
        useradd --system --user-group --no-create-home --home-dir "$CLUSTER_ROOT" --shell /usr/sbin/nologin "$CLUSTER_ROOT_USER"
    install -d -m 0755 "$CLUSTER_ROOT"
}

# A directory that PostgreSQL's user owns and nobody else enters; one that somebody else has put there is refused.
private_directory() {
    local user
    user=$(postgres_user)
    if ((EUID == 0)); then
        install -d -m 0700 -o "$user" -g "$user" "$1"
    else
        own_directory "$1"
    fi
    [[ ! -L $1 && $(stat -c '%U %a' "$1") == "$user 700" ]] || die "$1 does not belong to $user alone; remove it and try again."
}

# Argument: the file with the password of the superuser ADMIN_ROLE.
cluster_create() {
    [[ ! -f $CLUSTER_DATA/PG_VERSION ]] || return 0
    ensure_postgres_user
    private_directory "$CLUSTER_HOME"
    # An initdb that was interrupted leaves a directory without PG_VERSION, or one without the mark below.
    rm -rf "$CLUSTER_HOME/making" "$CLUSTER_DATA"
    local password=$CLUSTER_HOME/admin.password
    install -m 0600 "$1" "$password"
    ((EUID != 0)) || chown "$CLUSTER_ROOT_USER:" "$password"
    as_postgres "$POSTGRES_BIN/initdb" --pgdata="$CLUSTER_HOME/making" --username="$ADMIN_ROLE" --pwfile="$password" \
        --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --data-checksums >"$CLUSTER_HOME/initdb.log" 2>&1 ||
        die "initdb failed; $CLUSTER_HOME/initdb.log says: $(tail -n 1 "$CLUSTER_HOME/initdb.log")"
    rm -f "$password"
    printf "include 'trackme.conf'\n" >>"$CLUSTER_HOME/making/postgresql.conf"
    printf '%s\n' 'local all all scram-sha-256' >"$CLUSTER_HOME/making/pg_hba.conf"
    mv "$CLUSTER_HOME/making" "$CLUSTER_DATA"
}

# Prints the process of the running cluster; a pid file that another process's number stands in does not count.
cluster_process() {
    local process
    [[ -f $CLUSTER_DATA/postmaster.pid ]] || return 1
    process=$(head -n 1 "$CLUSTER_DATA/postmaster.pid") || return 1
    [[ $process =~ ^[0-9]+$ ]] || return 1
    tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -qF -- "/postgres -D $CLUSTER_DATA" || return 1
    printf '%s' "$process"
}

cluster_configure() {
    {
        cat "$CHECKOUT/deploy/postgres/settings.conf"
        printf '\n# This cluster only\n'
        printf "listen_addresses = ''\nport = %d\n" "$DATABASE_PORT"
        printf "unix_socket_directories = '%s'\nmax_connections = %d\n" "$CLUSTER_SOCKETS" "$CLUSTER_CONNECTIONS_MAX"
        [[ -z ${CLUSTER_SETTINGS:-} ]] || printf '%s\n' "$CLUSTER_SETTINGS"
    } >"$CLUSTER_DATA/trackme.conf"
    ((EUID != 0)) || chown "$CLUSTER_ROOT_USER:" "$CLUSTER_DATA/trackme.conf"
}

# Starts the cluster with fresh settings; one left over by a killed script is stopped first.
cluster_start() {
    cluster_stop
    rm -f "$CLUSTER_DATA/postmaster.pid"
    private_directory "$CLUSTER_SOCKETS"
    rm -f "$CLUSTER_SOCKETS"/.s.PGSQL."$DATABASE_PORT"*
    cluster_configure
    local attempt
    # A killed server's children may hold its shared memory for a moment.
    for attempt in 1 2 3; do
        if as_postgres "$POSTGRES_BIN/pg_ctl" start --wait --timeout=120 --silent --pgdata="$CLUSTER_DATA" \
            --log="$CLUSTER_HOME/start.log" </dev/null >/dev/null 2>&1 9>&-; then
            return 0
        fi
        sleep "$attempt"
    done
    tail -n 10 "$CLUSTER_HOME/start.log" "$CLUSTER_DATA"/log/*.log >&2 || true
    die "PostgreSQL did not start; its last words stand above and in $CLUSTER_DATA/log."
}

# In a trap a bare `return` would hand on the status from before the trap.
cluster_stop() {
    cluster_process >/dev/null || return 0
    local mode
    for mode in fast immediate; do
        if as_postgres "$POSTGRES_BIN/pg_ctl" stop --wait --timeout=60 --silent --mode="$mode" --pgdata="$CLUSTER_DATA" \
            >/dev/null 2>&1; then
            return 0
        fi
        cluster_process >/dev/null || return 0
    done
    die "the PostgreSQL of $CLUSTER_DATA does not stop (process $(cluster_process))."
}

# Prints how many bytes a directory takes on disk. Files may come and go meanwhile.
bytes_on_disk() { { du --summarize --block-size=1 "$1" 2>/dev/null || true; } | cut -f 1; }

# Prints what the cluster takes on disk, and how much of it is each person's: all but the log, which has its size for any
# number of people. Argument: people.
cluster_size() {
    local whole log
    whole=$(bytes_on_disk "$CLUSTER_DATA")
    log=$(bytes_on_disk "$CLUSTER_DATA/pg_wal")
    printf '%d MB on disk, of which %d MB write-ahead log; without it %d bytes a person' \
        $((whole / 1000000)) $((log / 1000000)) $(((whole - log) / $1))
}
