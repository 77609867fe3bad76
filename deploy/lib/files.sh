# Everything that is made from nothing before a service can start: passwords, keys, certificates, configuration.

# Makes what one service or client reads, beside its configuration, and renews its certificate when that is due.
# Arguments: the base directory (authority/, passwords/, services/NAME/), name.
member_files_ensure() {
    local base=$1 name=$2
    local directory=$base/services/$name
    own_directory "$directory"
    certificate_ensure "$base/authority" "$directory/certificate.pem" "$directory/key.pem" "$name"
    cp "$base/authority/ca.pem" "$directory/authority.pem"
}

# Argument: the base directory.
suite_files_ensure() {
    local base=$1 name
    mkdir -p "$base/services"
    passwords_ensure "$base/passwords"
    authority_ensure "$base/authority" 'TrackMe development authority'
    for name in "${SERVICES[@]}"; do
        member_files_ensure "$base" "$name"
        service_secrets_ensure "$base/services/$name" "$name" "$base/passwords"
    done
    for name in "${CLIENTS[@]}"; do
        member_files_ensure "$base" "$name"
    done
    # For the proxy's address for operators.
    member_files_ensure "$base" proxy
    hooks_ensure "$base/services/dispatcher/hooks.json"
}
