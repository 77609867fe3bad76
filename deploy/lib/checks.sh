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

port_in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Arguments: a port, and what it is for.
check_port() {
    ! port_in_use "$1" ||
        die "port $1 on 127.0.0.1, which $2 needs, is in use; free it or move all ports with --port-base N."
}
