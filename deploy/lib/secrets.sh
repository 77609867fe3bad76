# Random passwords and keys, each in a file that only its owner reads. What exists is kept.

# Arguments: the file, and the command that prints what goes into it.
secret_ensure() {
    [[ ! -s $1 ]] || return 0
    (umask 077 && "${@:2}" >"$1.new")
    mv "$1.new" "$1"
}

# The passwords of all database roles. Argument: the directory.
passwords_ensure() {
    own_directory "$1"
    secret_ensure "$1/$ADMIN_ROLE.password" openssl rand -hex 32
    local schema
    for schema in "${SCHEMAS[@]}"; do
        secret_ensure "$1/trackme_$schema.password" openssl rand -hex 32
    done
}

# A secret shared with the receiver of webhooks (Standard Webhooks).
webhook_secret() { printf 'whsec_%s\n' "$(openssl rand -base64 32)"; }

# What one service reads beside its configuration and certificate. Arguments: its directory, its name, the passwords' directory.
service_secrets_ensure() {
    local directory=$1 service=$2 passwords=$3
    own_directory "$directory"
    secret_ensure "$directory/field.key" openssl rand -base64 32
    secret_ensure "$directory/blind-index.key" openssl rand -base64 32
    install -m 0600 "$passwords/trackme_$service.password" "$directory/database.password"
    case $service in
        accounts)
            secret_ensure "$directory/signing.pem" openssl genpkey -algorithm ed25519
            secret_ensure "$directory/push.pem" openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256
            install -m 0600 "$passwords/trackme_accounts_keys.password" "$directory/keystore.password"
            ;;
        dispatcher) install -m 0600 "$passwords/trackme_dispatcher_keys.password" "$directory/keystore.password" ;;
        track4run) install -m 0600 "$passwords/trackme_track4run_keys.password" "$directory/keystore.password" ;;
        ingestion) install -m 0600 "$passwords/trackme_keys.password" "$directory/keystore.password" ;;
        query)
            install -m 0600 "$passwords/trackme_statistics.password" "$directory/statistics.password"
            install -m 0600 "$passwords/trackme_query_keys.password" "$directory/keystore.password"
            ;;
    esac
}
