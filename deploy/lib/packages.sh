# Installing what is missing through apt-get: only what is missing, and sudo only when not root.

may_be_root() { ((EUID == 0)) || command -v sudo >/dev/null; }

# Runs a command as root.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root and there is no sudo; let an administrator run: $*"
    fi
}

check_distribution() {
    local name
    # shellcheck disable=SC1091 # belongs to the system
    name=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-}" "${ID_LIKE:-}") || name=unknown
    if ! [[ " $name " == *" debian "* || " $name " == *" ubuntu "* ]] || ! command -v apt-get >/dev/null; then
        die "these scripts know Debian and Ubuntu only, and this system is '${name% }'."
    fi
}

package_installed() {
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Prints those of the given packages that are not there.
missing_packages() {
    local package
    for package in "$@"; do
        package_installed "$package" || printf '%s\n' "$package"
    done
}

# Ends when packages are missing that nobody here may install, before anything is touched. Arguments: packages.
check_may_install() {
    ! may_be_root || return 0
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) ||
        die "packages are missing, and installing them needs root or sudo; let an administrator run: apt-get install --no-install-recommends ${missing[*]}"
}

# Arguments: packages. Installs those that are not there.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    check_distribution
    check_may_install "${missing[@]}"
    step "Installing ${missing[*]}"
    local apt=(env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a apt-get -q -o DPkg::Lock::Timeout=120)
    as_root "${apt[@]}" update >&2 || say "The package lists could not be refreshed; trying with the old ones."
    as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >&2 ||
        die "apt-get could not install ${missing[*]}; its own message stands above."
}

server_installed() { postgres_bin >/dev/null && package_installed postgresql-client-common; }

# The server package makes and starts a cluster of its own ("main") unless it is told not to before it is installed.
# The drop-in goes away again afterwards, so that the next server somebody installs behaves as Debian's always do.
install_postgres_server() {
    local drop_in=/etc/postgresql-common/createcluster.d/trackme.conf
    if server_installed; then
        # An installation that was broken off has left it.
        [[ ! -e $drop_in ]] || ! may_be_root || as_root rm -f "$drop_in"
        return 0
    fi
    check_distribution
    printf 'create_main_cluster = false\n' | as_root install -D -m 0644 /dev/stdin "$drop_in"
    local status=0
    (install_packages postgresql postgresql-client) || status=$?
    as_root rm -f "$drop_in"
    ((status == 0)) || exit "$status"
}

proxy_installed() { command -v nginx >/dev/null || [[ -x /usr/sbin/nginx ]]; }

# The package starts a server on port 80 and at every boot; it is told not to. Both hold for nginx alone, so that an
# installation that is broken off does no harm to others.
install_proxy() {
    ! proxy_installed || return 0
    check_distribution
    local policy=/usr/sbin/policy-rc.d made=false status=0
    if [[ ! -e $policy ]]; then
        # shellcheck disable=SC2016 # for that script
        printf '#!/bin/sh\n[ "$1" != nginx ] || exit 101\n' | as_root install -m 0755 /dev/stdin "$policy"
        made=true
    fi
    (install_packages nginx) || status=$?
    [[ $made == false ]] || as_root rm -f "$policy"
    ((status == 0)) || exit "$status"
    as_root systemctl disable --quiet nginx.service 2>/dev/null || as_root update-rc.d nginx disable >/dev/null 2>&1 ||
        say "The distribution's nginx would be started with the machine; disable it: systemctl disable nginx"
}

# What the static files of the pages are made from, beside this checkout.
readonly PAGES_PACKAGES=(libjs-leaflet libjs-chart.js node-qrcode-generator)
install_for_pages() { install_packages "${PAGES_PACKAGES[@]}"; }

readonly BUILD_PACKAGES=(libpq-dev libssl-dev zlib1g-dev)
# Several packages bring this program.
pkg_config_package() { command -v pkg-config >/dev/null || printf 'pkg-config'; }

# What building the suite and running it in this checkout needs, beside Swift. Arguments: packages to install with it.
install_for_development() {
    local packages servers=()
    # shellcheck disable=SC2207 # one word or none
    packages=("${BUILD_PACKAGES[@]}" $(pkg_config_package) "${PAGES_PACKAGES[@]}" openssl ca-certificates curl tzdata msmtp unzip "$@")
    server_installed || servers+=(postgresql postgresql-client)
    proxy_installed || servers+=(nginx)
    check_may_install "${servers[@]}" "${packages[@]}"
    install_postgres_server
    install_proxy
    install_packages "${packages[@]}"
}

# What building alone needs.
install_for_build() {
    # shellcheck disable=SC2046 # one word or none
    install_packages "${BUILD_PACKAGES[@]}" $(pkg_config_package)
}

# What a built service needs to run.
install_for_service() { install_packages libpq5 libssl3 zlib1g ca-certificates curl tzdata msmtp; }

# What the tests of pages need beside the suite: a browser, Python for what drives it, and what the recipes for third parties use.
install_for_pages_tests() { install_packages chromium-headless-shell chromium-driver firefox-esr python3-venv curl jq openssl; }

install_for_bench() { install_for_development wrk gpsbabel; }
