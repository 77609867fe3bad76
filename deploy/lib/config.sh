# The services' configuration files: strict JSON, one per service.
#
# Two layouts: `checkout` (everything on 127.0.0.1, files below .trackme) and `containers` (one host per service, named
# like it; a container sees its own files only, in /etc/trackme).

json_string() {
    local text=${1//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

# Names the layout that the other functions write for. Arguments: its name, the directory with the services' files
# (SERVICE/…), and the one of the data they write.
layout_use() {
    LAYOUT=$1
    LAYOUT_FILES=$2
    LAYOUT_DATA=$3
}

# Prints where a service finds one of its files. Arguments: service, file name.
file_of() {
    case $LAYOUT in
        checkout) json_string "$LAYOUT_FILES/$1/$2" ;;
        containers) json_string "/etc/trackme/$2" ;;
    esac
}

# Prints the host that a service is reached at by the others.
host_of() {
    case $LAYOUT in
        checkout) printf '127.0.0.1' ;;
        containers) printf '%s' "$1" ;;
    esac
}

listen_host() {
    case $LAYOUT in
        checkout) printf '127.0.0.1' ;;
        containers) printf '0.0.0.0' ;;
    esac
}

# Prints the member that names the proxies that services are reached through: in a checkout nginx on the same machine, for
# containers those of TRACKME_TRUSTED_PROXIES (addresses or blocks with spaces between them).
trusted_proxies_member() {
    local proxy proxies=127.0.0.1 separator=
    [[ $LAYOUT == checkout ]] || proxies=${TRACKME_TRUSTED_PROXIES:-}
    [[ -n $proxies ]] || return 0
    printf ', "trusted_proxies": ['
    for proxy in $proxies; do
        printf '%s%s' "$separator" "$(json_string "$proxy")"
        separator=', '
    done
    printf ']'
}

# Prints the address that people reach the suite at, which is the proxy's.
base_url() {
    local scheme=http host=127.0.0.1
    [[ -z ${TRACKME_CERTIFICATE_FILE:-} ]] || { scheme=https && host=localhost; }
    printf '%s' "${TRACKME_BASE_URL:-$scheme://$host:$(proxy_port)}"
}

# Prints the member that says where the pages' static files are, once ASSETS_HASH is known.
assets_member() { [[ -z ${ASSETS_HASH:-} ]] || printf ', "assets": "/assets/%s"' "$ASSETS_HASH"; }

database_host() {
    case $LAYOUT in
        checkout) printf '%s:%d' "$CLUSTER_SOCKETS" "$DATABASE_PORT" ;;
        containers) printf 'postgres:5432' ;;
    esac
}

# Arguments: service, database, schema, password file's name, connections at most.
database_object() {
    printf '{"hosts": [%s], "name": "%s", "user": "trackme_%s", "password_file": %s, "schema": "%s", "connections_max": %d' \
        "$(json_string "$(database_host)")" "$2" "$3" "$(file_of "$1" "$4")" "$3" "$5"
    # On another machine only with TLS.
    [[ $LAYOUT == checkout ]] || printf ', "authority_file": %s' "$(file_of "$1" authority.pem)"
    printf '}'
}

# Prints the internal addresses of all services but one (or of all).
peers_object() {
    local service separator=
    printf '{'
    for service in "${SERVICES[@]}"; do
        [[ $service != "${1:-}" ]] || continue
        printf '%s"%s": ["%s:%d"]' "$separator" "$service" "$(host_of "$service")" "$(internal_port "$service")"
        separator=', '
    done
    printf '}'
}

# Prints for whom and how long the feeds of a service are kept: one that lacks more than the caps allow takes a snapshot.
feeds_object() {
    local kept='"bytes_max": 268435456, "age_max_s": 86400'
    case $1 in
        accounts)
            printf '{"accounts.changes": {"consumers": ["dispatcher", "ingestion"], %s},\n' "$kept"
            printf '    "accounts.revocations": {"consumers": [], %s},\n' "$kept"
            printf '    "accounts.profiles": {"consumers": ["query"], %s},\n' "$kept"
            printf '    "accounts.erasures": {"consumers": ["dispatcher", "ingestion", "query", "track4run"], %s}}' "$kept"
            ;;
        ingestion)
            printf '{"ingestion.live": {"consumers": ["dispatcher", "track4run"], %s},\n' "$kept"
            printf '    "ingestion.rollups": {"consumers": ["query"], %s}}' "$kept"
            ;;
        query)
            printf '{"query.consents": {"consumers": ["track4run"], %s},\n' "$kept"
            printf '    "query.watch": {"consumers": ["ingestion"], %s}}' "$kept"
            ;;
        dispatcher)
            printf '{"dispatcher.watch": {"consumers": ["ingestion"], %s},\n' "$kept"
            printf '    "dispatcher.wearers": {"consumers": [], %s}}' "$kept"
            ;;
        track4run) printf '{"track4run.watch": {"consumers": ["ingestion", "dispatcher"], %s}}' "$kept" ;;
    esac
}

# Prints the member that gives what a payee offers its price, which a sandbox broker collects: in a checkout, when that was asked for.
# Arguments: the payee; the member with its price.
payments_member() {
    [[ $LAYOUT == checkout && $PAYMENTS == true ]] || return 0
    printf ', "payments": {"currency": "EUR", %s,\n' "$2"
    printf '    "broker": {"url": "http://127.0.0.1:%d/%s", "secret_file": %s, "call_back_secret_file": %s, "allow_private": true}}' \
        "$(broker_port)" "$1" "$(file_of "$1" broker.secret)" "$(file_of "$1" broker-call-back.secret)"
}

# Prints what only this service has.
settings_object() {
    case $1 in
        accounts)
            printf '{"keystore": %s, ' "$(database_object accounts trackme_keys accounts_keys keystore.password 8)"
            printf '%s, "signing_key_file": %s, "push": {"key_file": %s' \
                "$(mail_members)" "$(file_of accounts signing.pem)" "$(file_of accounts push.pem)"
            # Only a suite in a checkout has push services of its own, and simulated people.
            [[ $LAYOUT != checkout ]] || printf ', "allow_private": true'
            printf '}'
            [[ $LAYOUT != checkout ]] || printf ', "provisioning_clients": ["simulator"]'
            [[ -z ${TRACKME_SUPPORT:-} ]] || printf ', "support": %s' "$(json_string "$TRACKME_SUPPORT")"
            printf '}'
            ;;
        ingestion)
            printf '{"keystore": %s' "$(database_object ingestion trackme_keys keys keystore.password 8)"
            # The simulator loads a history first and then closes its days.
            [[ $LAYOUT != checkout ]] || printf ', "rollups": {"hold": true}'
            printf '}'
            ;;
        query)
            printf '{"keystore": %s, ' "$(database_object query trackme_keys query_keys keystore.password 8)"
            printf '"statistics_database": %s%s' \
                "$(database_object query trackme statistics statistics.password 8)" "$(payments_member query "\"prices\": $PRICES")"
            # Only a suite in a checkout has receivers of its own, and a sandbox that shows soon what is no longer there.
            [[ $LAYOUT != checkout ]] || printf ', "webhooks": {"allow_private_addresses": true}, "unavailable_after_minutes": 1'
            printf '}'
            ;;
        dispatcher)
            printf '{"keystore": %s, ' "$(database_object dispatcher trackme_keys dispatcher_keys keystore.password 8)"
            printf '"hooks_file": %s, "journal_directory": %s%s}' \
                "$(file_of dispatcher hooks.json)" "$(json_string "$LAYOUT_DATA/journal")" \
                "$(payments_member dispatcher "\"month\": $SOS_PRICE")"
            ;;
        track4run)
            printf '{"keystore": %s}' "$(database_object track4run trackme_keys track4run_keys keystore.password 8)"
            ;;
    esac
}

# Prints the member that says how a service stops: in a checkout nobody sends requests by readiness, and there is nothing to
# wait for.
stopping_member() { [[ $LAYOUT != checkout ]] || printf '\n  "stopping": {"grace_s": 0},'; }

# Prints the configuration of one service.
service_configuration() {
    local service=$1 public internal
    public=$(public_port "$service")
    internal=$(internal_port "$service")
    cat <<JSON
{
  "service": "$service",
  "public": {
    "listen": "$(listen_host):$public", "base_url": $(json_string "$(base_url)")$(assets_member)$(trusted_proxies_member)
  },
  "internal": {
    "listen": "$(listen_host):$internal",
    "certificate_file": $(file_of "$service" certificate.pem),
    "key_file": $(file_of "$service" key.pem),
    "authority_file": $(file_of "$service" authority.pem)
  },
  "operators": {"listen": "127.0.0.1:$(operators_port "$service")"},$(stopping_member)
  "database": $(database_object "$service" trackme "$service" database.password 16),
  "peers": $(peers_object "$service"),
  "loops": 1,
  "log": {"level": "info"},
  "keys": {"field_key_file": $(file_of "$service" field.key), "blind_index_key_file": $(file_of "$service" blind-index.key)},
  "feeds": $(feeds_object "$service"),
  "settings": $(settings_object "$service")
}
JSON
}

# Prints what the simulator needs to reach the suite as a device, a person, a third party or an operator would.
simulator_configuration() {
    local service separator=
    cat <<JSON
{
  "service": "simulator",
  "public": {
JSON
    for service in "${SERVICES[@]}"; do
        printf '%s    "%s": "http://%s:%d"' "$separator" "$service" "$(host_of "$service")" "$(public_port "$service")"
        separator=$',\n'
    done
    cat <<JSON

  },
  "internal": {
    "certificate_file": $(file_of simulator certificate.pem),
    "key_file": $(file_of simulator key.pem),
    "authority_file": $(file_of simulator authority.pem)
  },
  "peers": $(peers_object),
  "mail_directory": $(json_string "$LAYOUT_DATA/mail"),
  "demo_file": $(json_string "$LAYOUT_DATA/demo.txt")$(simulator_hook)$(simulator_broker)
}
JSON
}

# Prints the members that say where the simulator plays the ambulance service, whose people it makes, with what key it makes
# tokens for a load, and where the sandbox for third parties is: in a checkout only.
simulator_hook() {
    [[ $LAYOUT != checkout ]] ||
        printf ',\n  "hook": {"listen": "127.0.0.1:%d", "secret_file": %s},\n  "population_secret_file": %s,\n  "signing_key_file": %s,\n  "sandbox": {"listen": "127.0.0.1:%d", "file": %s}' \
            "$(hook_port)" "$(file_of simulator hook.secret)" "$(file_of simulator population.secret)" \
            "$(file_of accounts signing.pem)" "$(sandbox_port)" "$(file_of simulator sandbox)"
}

# Prints the member that says where the simulator plays the payments' broker: in a checkout, when that was asked for.
simulator_broker() {
    local payee separator=
    [[ $LAYOUT == checkout && $PAYMENTS == true ]] || return 0
    printf ',\n  "broker": {"listen": "127.0.0.1:%d", "payees": [' "$(broker_port)"
    for payee in "${PAYEES[@]}"; do
        printf '%s\n    {"name": "%s", "secret_file": %s, "call_back_secret_file": %s,\n' "$separator" "$payee" \
            "$(file_of simulator "$payee-broker.secret")" "$(file_of simulator "$payee-broker-call-back.secret")"
        printf '      "call_back_url": "http://127.0.0.1:%d/%s/v1/payments/broker"}' "$(public_port "$payee")" "$payee"
        separator=,
    done
    printf ']}'
}

# The ambulance services' hooks are the operator's to edit; a new deployment has none. Argument: the file.
hooks_ensure() {
    [[ -e $1 ]] || printf '{"hooks": []}\n' >"$1"
}

# As hooks_ensure, for a suite in a checkout: it begins with the simulator's hook, where somebody listens during the main job alone, and that one's port follows
# --port-base. Arguments: the file, the file with the hook's secret.
hooks_ensure_simulated() {
    local url
    url=http://127.0.0.1:$(hook_port)/incidents
    if [[ -e $1 ]]; then
        sed -i -E "s#http://127\.0\.0\.1:[0-9]+/incidents#$url#" "$1"
        return
    fi
    cat >"$1" <<JSON
{
  "hooks": [
    {"name": "simulator", "url": "$url", "secret_file": $(json_string "$2"), "area": null, "allow_private": true, "probes": false}
  ]
}
JSON
}
