# The proxy in front (nginx): its configuration from the templates in deploy/proxy, and its process.

readonly PROXY_READY_SECONDS_MAX=20

# Another address to listen at for people, another directory for what nginx writes, and another log, than the layout's.
PROXY_LISTEN=
PROXY_RUNTIME=
PROXY_LOG=

PROXY_PROCESS=
PROXY_RESTARTS=0

# A certificate without its key, or a file that is not there, is said before anything is started.
check_public_certificate() {
    local file
    [[ -n ${TRACKME_CERTIFICATE_FILE:-} || -n ${TRACKME_KEY_FILE:-} ]] || return 0
    [[ -n ${TRACKME_CERTIFICATE_FILE:-} && -n ${TRACKME_KEY_FILE:-} ]] ||
        die "HTTPS needs both TRACKME_CERTIFICATE_FILE and TRACKME_KEY_FILE."
    for file in "$TRACKME_CERTIFICATE_FILE" "$TRACKME_KEY_FILE"; do
        [[ $file == /* && -r $file ]] || die "'$file' is not the absolute path of a file that can be read."
    done
}

# Prints the directory of what nginx writes: in memory, since bodies of requests are personal data.
proxy_runtime() {
    [[ -z $PROXY_RUNTIME ]] || { printf '%s' "$PROXY_RUNTIME" && return; }
    case $LAYOUT in
        checkout) printf '/dev/shm/trackme-%s' "$CHECKOUT_HASH" ;;
        containers) printf '/tmp' ;;
    esac
}

proxy_log() {
    [[ -z $PROXY_LOG ]] || { printf '%s' "$PROXY_LOG" && return; }
    case $LAYOUT in
        checkout) printf '"%s/logs/nginx.log"' "$STATE" ;;
        containers) printf '/dev/stdout' ;;
    esac
}

proxy_listen_directives() {
    local address=${PROXY_LISTEN:-$(listen_host):$(proxy_port)}
    if [[ -z ${TRACKME_CERTIFICATE_FILE:-} ]]; then
        printf 'listen %s;' "$address"
        return
    fi
    cat <<NGINX
listen $address ssl http2;
        # Who comes without TLS.
        error_page 497 =308 https://\$http_host\$request_uri;
        ssl_certificate "$TRACKME_CERTIFICATE_FILE";
        ssl_certificate_key "$TRACKME_KEY_FILE";
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;
        ssl_session_cache shared:sessions:10m;
        ssl_session_tickets off;
NGINX
}

# Prints the proxies before this one, whose X-Forwarded-For names the client.
proxy_trusted_directives() {
    local proxy
    for proxy in ${TRACKME_TRUSTED_PROXIES:-}; do
        [[ $proxy =~ ^[0-9a-fA-F.:/]+$ ]] || die "TRACKME_TRUSTED_PROXIES: '$proxy' is no address or block."
        printf 'set_real_ip_from %s; ' "$proxy"
    done
    [[ -z ${TRACKME_TRUSTED_PROXIES:-} ]] || printf 'real_ip_header X-Forwarded-For; real_ip_recursive on;'
}

proxy_upstreams() {
    local service
    for service in "${SERVICES[@]}"; do
        # Shorter than the service's own time between requests, so that no request meets a connection that is being closed.
        printf 'upstream %s { server %s:%d max_fails=0; keepalive 64; keepalive_timeout 60s; }\n    ' \
            "$service" "$(host_of "$service")" "$(public_port "$service")"
    done
}

# Prints which service answers which page. A path stands for itself alone, one that ends with `/*` for any last part.
proxy_pages() {
    local file service path
    declare -A owner=()
    for file in "$CHECKOUT"/Services/*/Pages/paths; do
        [[ -f $file ]] || continue
        service=${file%/Pages/paths}
        service=${service##*/}
        service=${service,,}
        while read -r path || [[ -n $path ]]; do
            path=${path%%#*}
            path=${path%"${path##*[! ]}"}
            [[ -n $path ]] || continue
            [[ $path == / || $path =~ ^(/[A-Za-z0-9._-]*[A-Za-z0-9_-])+(/\*)?$ ]] || die "$file: '$path' is not the path of a page."
            [[ ! $path =~ ^/(assets|away|service-worker\.js|metrics|healthz|readyz|tiles|geocoder|maps\.json)(/|$) ]] || die "$file: '$path' belongs to the proxy."
            [[ -z ${owner[$path]:-} ]] || die "$file: '$path' is a page of ${owner[$path]} already."
            owner[$path]=$service
        done <"$file"
    done
    for path in "${!owner[@]}"; do
        service=${owner[$path]}
        if [[ $path == *'/*' ]]; then
            path=${path%'/*'}
            printf '"~^%s/[^/]+$" %s;\n' "${path//./\\.}" "$service"
        else
            printf '"%s" %s;\n' "$path" "$service"
        fi
    done | LC_ALL=C sort | sed '2,$s/^/        /'
}

proxy_names() {
    local IFS='|'
    printf '%s' "${SERVICES[*]}"
}

# Ends the script when TRACKME_OPERATORS (SERVICE=ADDRESS:PORT, with spaces between them) cannot be read.
check_operators() {
    local entry
    for entry in ${TRACKME_OPERATORS:-}; do
        [[ $entry =~ ^[a-z0-9]+=[][0-9a-fA-F.:]+:[0-9]+$ && " ${SERVICES[*]} " == *" ${entry%%=*} "* ]] ||
            die "TRACKME_OPERATORS: '$entry' is not SERVICE=ADDRESS:PORT."
    done
}

# Prints where the replicas of a service answer operators, one a line: those of TRACKME_OPERATORS, or the one of a checkout.
# Argument: service.
operators_of() {
    local entry found=false
    for entry in ${TRACKME_OPERATORS:-}; do
        [[ ${entry%%=*} == "$1" ]] || continue
        printf '%s\n' "${entry#*=}"
        found=true
    done
    [[ $found == true ]] || printf '%s:%d\n' "$(host_of "$1")" "$(operators_port "$1")"
}

# Prints the server for operators. Their listeners are inside the containers, so only a checkout has it.
proxy_operators() {
    [[ $LAYOUT == checkout ]] || return 0
    local service address number part text watched=
    for service in "${SERVICES[@]}"; do
        number=0
        while read -r address; do
            number=$((number + 1))
            printf 'upstream operators-%s-%d { server %s max_fails=0; }\n' "$service" "$number" "$address"
            part=/$number
            ((number > 1)) || part='(/1)?'
            watched+="\"~^/$service$part/[a-z]+\$\" operators-$service-$number;"$'\n    '
        done < <(operators_of "$service")
    done
    printf 'upstream operators-accounts { %s}\n' "$(operators_of accounts | sed 's/.*/server & max_fails=0;/' | tr '\n' ' ')"
    text=$(<"$CHECKOUT/deploy/proxy/operators.conf")
    text=${text//@WATCHED@/"$watched"}
    text=${text//@OPERATORS_LISTEN@/"127.0.0.1:$(operators_proxy_port)"}
    text=${text//@OPERATORS_FILES@/"$LAYOUT_FILES/proxy"}
    printf '%s' "$text"
}

# Writes the operators' pages and all that they load, and which replicas they ask. They need none of the static files of the pages
# for people. Argument: the directory.
proxy_operators_page() {
    [[ $LAYOUT == checkout ]] || return 0
    local service number separator=
    # The pages are whole at every moment: it is served while this runs.
    rm -rf "$1.new"
    mkdir -p "$1.new/web"
    cp -R "$CHECKOUT/deploy/proxy/operators/." "$1.new"
    cp -R "$CHECKOUT/Shared/Web/Assets/." "$1.new/web"
    words_copy "$CHECKOUT/Shared/Web/Words" "$1.new" web
    qrcode_copy "$1.new"
    {
        printf '['
        for service in "${SERVICES[@]}"; do
            number=0
            while read -r _; do
                number=$((number + 1))
                printf '%s{"name": "%s", "replica": %d, "path": "/%s/%d"}' "$separator" "$service" "$number" "$service" "$number"
                separator=', '
            done < <(operators_of "$service")
        done
        printf ']\n'
    } >"$1.new/services.json"
    chmod -R u=rwX,go=rX "$1.new"
    rm -rf "$1"
    mv "$1.new" "$1"
}

# Writes nginx.conf and the files that it names. Arguments: the directory, the directory of the static files.
proxy_files() {
    local text user=
    check_operators
    check_map_services
    # The workers of a private suite read files that only its owner may.
    [[ $LAYOUT == checkout && $EUID == 0 ]] && user='user root;'
    text=$(<"$CHECKOUT/deploy/proxy/nginx.conf")
    text=${text//@USER@/"$user"}
    text=${text//@RUNTIME@/"$(proxy_runtime)"}
    text=${text//@LOG@/"$(proxy_log)"}
    text=${text//@TRUSTED_PROXIES@/"$(proxy_trusted_directives)"}
    text=${text//@UPSTREAMS@/"$(proxy_upstreams)"}
    text=${text//@PAGES@/"$(proxy_pages)"}
    text=${text//@LISTEN@/"$(proxy_listen_directives)"}
    text=${text//@ASSETS@/"$2"}
    text=${text//@OPERATORS@/"$(proxy_operators)"}
    text=${text//@MAP_SETTINGS@/"$(map_settings)"}
    text=${text//@MAPS@/"$(map_locations)"}
    text=${text//@NAMES@/"$(proxy_names)"}
    own_directory "$1"
    cp "$CHECKOUT/deploy/proxy/problems.conf" "$1/"
    fixed_files "$1/away"
    proxy_operators_page "$1/operators"
    map_services >"$1/maps.json"
    printf '%s\n' "$text" >"$1/nginx.conf"
}

# Writes the files whose addresses stay. The service worker names the hash of all of them, so that browsers take in new ones.
# Argument: the directory.
fixed_files() {
    local files=("$CHECKOUT"/Shared/Web/Fixed/* "$CHECKOUT"/Shared/Web/Assets/{style.css,icon.svg}) version
    own_directory "$1"
    version=$(cat "${files[@]}" | sha256sum | cut -c1-16)
    cp -L "${files[@]}" "$1/"
    sed "s/@VERSION@/$version/" "$CHECKOUT/Shared/Web/Fixed/service-worker.js" >"$1/service-worker.js"
}

# Prints where the program is; not everybody has it in PATH.
proxy_program() { PATH=$PATH:/usr/sbin command -v nginx || die "nginx is not installed."; }

# Ends the script when nginx refuses the configuration in a directory.
proxy_check() {
    local messages
    messages=$("$(proxy_program)" -p "$1/" -c nginx.conf -t 2>&1) || die "nginx refuses its configuration: $messages"
}

proxy_start() {
    local log=$STATE/logs/nginx.log program runtime
    program=$(proxy_program)
    runtime=$(proxy_runtime)
    own_directory "$runtime"
    [[ -O $runtime && ! -L $runtime ]] || die "$runtime belongs to another user; remove it and try again."
    log_rotate "$log"
    proxy_check "$STATE/nginx"
    (
        # A stream of events takes two.
        ulimit -S -n "$(ulimit -H -n)"
        exec setsid "$program" -p "$STATE/nginx/" -c nginx.conf </dev/null >>"$log" 2>&1 9>&-
    ) &
    PROXY_PROCESS=$!
}

proxy_running() { kill -0 "$PROXY_PROCESS" 2>/dev/null; }

# Waits until it answers, whatever that is; ends the script when it ends itself or takes too long.
proxy_wait_ready() {
    local deadline=$((SECONDS + PROXY_READY_SECONDS_MAX)) scheme=http
    [[ -z ${TRACKME_CERTIFICATE_FILE:-} ]] || scheme=https
    until curl --silent --insecure --max-time 2 --output /dev/null "$scheme://127.0.0.1:$(proxy_port)/assets/"; do
        if ! proxy_running || ((SECONDS >= deadline)); then
            service_log_tail nginx
            die "nginx did not answer within $PROXY_READY_SECONDS_MAX s; the end of its log stands above."
        fi
        sleep 0.1
    done
}

# Starts it again when it has ended.
proxy_revive() {
    ! proxy_running || return 0
    local status=0
    wait "$PROXY_PROCESS" || status=$?
    PROXY_RESTARTS=$((PROXY_RESTARTS + 1))
    if ((PROXY_RESTARTS > RESTARTS_MAX)); then
        service_log_tail nginx
        die "nginx has ended $((RESTARTS_MAX + 1)) times, the last time with status $status; stopping everything."
    fi
    # A master that was killed leaves workers that go on listening; they are in its process group.
    kill -KILL -- "-$PROXY_PROCESS" 2>/dev/null || true
    step "nginx ended with status $status; starting it again (log: $STATE/logs/nginx.log)"
    proxy_start
}

proxy_stop() {
    [[ -z $PROXY_PROCESS ]] || processes_end "$PROXY_PROCESS"
    rm -rf "$(proxy_runtime)"
}

# Ends the one that a killed `deploy/run` of this checkout has left behind.
proxy_stop_leftover() {
    local process
    process=$(cat "$(proxy_runtime)/nginx.pid" 2>/dev/null) || return 0
    [[ $process =~ ^[0-9]+$ ]] || return 0
    if tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null | grep -qF -- "-p $STATE/nginx/ "; then
        say "Ending the nginx that an earlier run has left behind."
        processes_end "$process"
    fi
}
