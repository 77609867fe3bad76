# What must hold before anything is started; each check ends with one clear sentence when it does not.

readonly SWIFT_OLDEST=6.2
readonly DISK_FREE_MIB_MIN=3072

check_swift() {
    command -v swift >/dev/null ||
        die "there is no Swift compiler in PATH; install Swift $SWIFT_OLDEST or later from https://www.swift.org/install/linux."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
    [[ -n $version ]] || die "'swift --version' does not say which version it is; is the Swift in PATH complete?"
    [[ $(printf '%s\n' "$SWIFT_OLDEST" "$version" | sort -V | head -n 1) == "$SWIFT_OLDEST" ]] ||
        die "Swift $version is too old; TrackMe needs Swift $SWIFT_OLDEST or later."
}

# Argument: a directory, which need not exist yet.
check_disk() {
    local free_mib directory=$1
    while [[ ! -d $directory ]]; do directory=$(dirname "$directory"); done
    free_mib=$(df -Pk "$directory" | awk 'NR == 2 { printf "%d", $4 / 1024 }')
    ((free_mib >= DISK_FREE_MIB_MIN)) ||
        die "only $free_mib MiB are free on the disk of $directory; building and running TrackMe needs $DISK_FREE_MIB_MIN MiB."
}

# Prints who holds a port of this machine, as far as it would be refused to a server on 127.0.0.1, and fails when nobody
# does. Connections that end count for nobody; those of clients do.
port_holder() {
    local state inode descriptor process
    read -r state inode < <(awk -v port="$(printf '%04X' "$1")" '
        FNR > 1 && $4 != "06" {
            split($2, local, ":")
            if (local[2] == port && local[1] ~ /^(0100007F|0+|0+FFFF00000100007F)$/) { print $4, $10; exit }
        }' /proc/net/tcp /proc/net/tcp6 2>/dev/null) || return 1
    descriptor=$(find /proc/[0-9]*/fd -lname "socket:\\[$inode\\]" -print -quit 2>/dev/null) || true
    process=${descriptor#/proc/}
    process=${process%%/*}
    if [[ -n $process ]]; then
        printf 'process %d (%s)' "$process" "$(cat "/proc/$process/comm" 2>/dev/null)"
    else
        printf 'a process of another user'
    fi
    # 0A: it listens.
    [[ $state == 0A ]] || printf ', as the near end of a connection'
}

# Arguments: a port, and what it is for. Ports that the kernel gives to clients' connections are refused from the beginning:
# one that is free now may be held when a service is started again.
check_port() {
    local holder first last
    if read -r first last 2>/dev/null </proc/sys/net/ipv4/ip_local_port_range && (($1 >= first && $1 <= last)); then
        die "port $1, which $2 needs, lies among those that the kernel gives to outgoing connections ($first to $last, net.ipv4.ip_local_port_range); move all ports with --port-base N."
    fi
    ! holder=$(port_holder "$1") ||
        die "port $1 on 127.0.0.1, which $2 needs, is held by $holder; free it or move all ports with --port-base N."
}
