# Where things live, what they are called and which ports they use.
# shellcheck disable=SC2034 # the other files of this folder read these

CHECKOUT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# Everything a private suite keeps, except PostgreSQL's data under root (see cluster.sh). A second suite of the same
# checkout has a name (TRACKME_SUITE: that of the tests of pages).
STATE=$CHECKOUT/.trackme${TRACKME_SUITE:+/test-$TRACKME_SUITE}

# Tells this checkout's cluster and sockets from another one's.
CHECKOUT_HASH=$(printf '%s' "$CHECKOUT${TRACKME_SUITE:+ $TRACKME_SUITE}" | sha256sum | cut -c1-8)

SERVICES=(accounts ingestion query dispatcher track4run)
CLIENTS=(operator simulator)

# Login roles of the databases: trackme_<schema>; postgres/roles.sql makes them.
SCHEMAS=(accounts ingestion query statistics dispatcher track4run keys accounts_keys query_keys dispatcher_keys track4run_keys)
ADMIN_ROLE=trackme_admin

# Of services: glibc keeps so many freed pieces of memory of each size for their thread, instead of 7. What a service needs
# for a group of uploads is freed together; the default gives it back and fetches it anew each time.
SERVICE_TUNABLES=glibc.malloc.tcache_count=250

PORT_SHIFT=0

# Whether requests and AutomatedSOS have prices, and a sandbox broker is there (deploy/run --payments).
PAYMENTS=false
# Those who make invoices.
PAYEES=(query dispatcher)
# What requests cost: the member `prices` of query (Services/Query/Payments/README.md).
readonly PRICES=${TRACKME_PRICES:-'{"single_once": 500, "single_subscription": 200, "group_once": 2000}'}
# What 30 days of AutomatedSOS cost: the member `month` of dispatcher (Services/Dispatcher/Payments/README.md).
readonly SOS_PRICE=${TRACKME_SOS_PRICE:-900}

# Prints the index of a service, counted from 1: the last digit of its ports.
service_index() {
    local index
    for index in "${!SERVICES[@]}"; do
        if [[ ${SERVICES[index]} == "$1" ]]; then
            printf '%d' $((index + 1))
            return 0
        fi
    done
    die "there is no service '$1'."
}

# The proxy in front: for people, and for operators.
proxy_port() { printf '%d' $((8100 + PORT_SHIFT)); }
operators_proxy_port() { printf '%d' $((8110 + PORT_SHIFT)); }
public_port() { printf '%d' $((8100 + $(service_index "$1") + PORT_SHIFT)); }
internal_port() { printf '%d' $((9100 + $(service_index "$1") + PORT_SHIFT)); }
operators_port() { printf '%d' $((9200 + $(service_index "$1") + PORT_SHIFT)); }
# Where the simulator plays the ambulance service.
hook_port() { printf '%d' $((8120 + PORT_SHIFT)); }
# Where the simulator plays the payments' broker.
broker_port() { printf '%d' $((8121 + PORT_SHIFT)); }
# Where it takes what webhooks of the sandbox are sent.
sandbox_port() { printf '%d' $((8122 + PORT_SHIFT)); }
# Private clusters listen on no port: this only names their socket.
readonly DATABASE_PORT=5432

# Prints a short directory for unix sockets, whose whole path may have 107 bytes only. Argument: what tells it from others.
socket_directory() {
    local name=trackme-$CHECKOUT_HASH${1:-}
    if ((EUID == 0)); then
        printf '/run/%s' "$name"
    elif [[ -n ${XDG_RUNTIME_DIR:-} && -w $XDG_RUNTIME_DIR && ${#XDG_RUNTIME_DIR} -lt 50 ]]; then
        printf '%s/%s' "$XDG_RUNTIME_DIR" "$name"
    else
        printf '/tmp/%s' "$name"
    fi
}

# Makes a directory that only its owner enters.
own_directory() { (umask 077 && mkdir -p "$1"); }

# Makes the directory of everything private; one that another user has made is refused.
state_directory() {
    own_directory "$STATE"
    [[ -O $STATE ]] ||
        die "$STATE belongs to $(stat -c %U "$STATE"); run this as $(stat -c %U "$STATE"), or remove that directory."
}
