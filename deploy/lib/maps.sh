# Map tiles and address search of a service that the deployment names (NFR-11): through the one address, so that pages load
# nothing from elsewhere, and that service learns of nobody who asks.
#
#   TRACKME_TILES_URL                 https://HOST/PATH with {z}, {x} and {y} in it: PNG tiles as OpenStreetMap numbers them
#   TRACKME_TILES_ATTRIBUTION         what maps say of where they come from
#   TRACKME_TILES_ATTRIBUTION_URL     what that links to
#   TRACKME_GEOCODER_URL              https://HOST/PATH of a search that answers as Nominatim's /search does

readonly MAP_URL='^(https?)://([A-Za-z0-9.-]+(:[0-9]+)?)(/[A-Za-z0-9._~/{}?&=%@:+,-]*)$'
readonly AUTHORITIES=/etc/ssl/certs/ca-certificates.crt

# Ends the script when the addresses of these services cannot be used.
check_map_services() {
    local url=${TRACKME_TILES_URL:-} part
    if [[ -n $url ]]; then
        [[ $url =~ $MAP_URL ]] || die "TRACKME_TILES_URL: '$url' is no address of a service."
        for part in '{z}' '{x}' '{y}'; do
            [[ $url == *"$part"* ]] || die "TRACKME_TILES_URL: '$TRACKME_TILES_URL' lacks $part."
            url=${url//"$part"/}
        done
        [[ $url != *[{}]* ]] || die "TRACKME_TILES_URL: '$TRACKME_TILES_URL' names more than {z}, {x} and {y}."
        [[ -n ${TRACKME_TILES_ATTRIBUTION:-} ]] || die "TRACKME_TILES_URL needs TRACKME_TILES_ATTRIBUTION: who made the tiles is said on each map."
        url=${TRACKME_TILES_ATTRIBUTION_URL:-}
        [[ -z $url || $url =~ ^https?://[^[:cntrl:]]+$ ]] || die "TRACKME_TILES_ATTRIBUTION_URL: '$url' is no address."
    fi
    url=${TRACKME_GEOCODER_URL:-}
    [[ -z $url || ($url =~ $MAP_URL && $url != *[{}?]*) ]] || die "TRACKME_GEOCODER_URL: '$url' is no address of a service."
}

# Prints what pages learn of it.
map_services() {
    local tiles=null geocoder=false
    if [[ -n ${TRACKME_TILES_URL:-} ]]; then
        tiles="{\"attribution\": $(json_string "$TRACKME_TILES_ATTRIBUTION")"
        [[ -z ${TRACKME_TILES_ATTRIBUTION_URL:-} ]] || tiles+=", \"link\": $(json_string "$TRACKME_TILES_ATTRIBUTION_URL")"
        tiles+='}'
    fi
    [[ -z ${TRACKME_GEOCODER_URL:-} ]] || geocoder=true
    printf '{"tiles": %s, "geocoder": %s}\n' "$tiles" "$geocoder"
}

# Prints the servers that names of hosts are looked up at: while nginx runs, so that it starts without them.
name_servers() {
    case $LAYOUT in
        containers) printf '127.0.0.11' ;;
        *) awk '$1 == "nameserver" && $2 !~ /%/ { printf "%s%s", separator, $2 ~ /:/ ? "[" $2 "]" : $2; separator = " " }' /etc/resolv.conf ;;
    esac
}

# Prints what nginx needs of it beside the paths.
map_settings() {
    [[ -n ${TRACKME_TILES_URL:-}${TRACKME_GEOCODER_URL:-} ]] || return 0
    local text servers
    servers=$(name_servers)
    text=$(<"$CHECKOUT/deploy/proxy/map-settings.conf")
    # Without a server only addresses can be used.
    text=${text//@RESOLVER@/"${servers:+resolver $servers valid=60s;}"}
    printf '%s' "${text//@RUNTIME@/"$(proxy_runtime)"}"
}

# Prints the paths of one of these services. Arguments: the template's name, the service's address.
map_location() {
    local text path verified=
    [[ $2 =~ $MAP_URL ]]
    [[ ${BASH_REMATCH[1]} != https ]] || verified="proxy_ssl_verify on; proxy_ssl_verify_depth 4; proxy_ssl_trusted_certificate $AUTHORITIES;"
    text=$(<"$CHECKOUT/deploy/proxy/$1.conf")
    text=${text//@SCHEME@/"${BASH_REMATCH[1]}"}
    text=${text//@HOST@/"${BASH_REMATCH[2]}"}
    text=${text//@NAME@/"${BASH_REMATCH[2]%%:*}"}
    path=${BASH_REMATCH[4]}
    # shellcheck disable=SC2016 # for nginx
    path=${path//'{z}'/'${zoom}'} path=${path//'{x}'/'${column}'} path=${path//'{y}'/'${row}'}
    text=${text//@PATH@/"$path"}
    text=${text//@VERIFIED@/"$verified"}
    printf '%s' "${text//@BASE_URL@/"$(base_url)"}"
}

map_locations() {
    [[ -z ${TRACKME_TILES_URL:-} ]] || map_location tiles "$TRACKME_TILES_URL"
    [[ -z ${TRACKME_GEOCODER_URL:-} ]] || map_location geocoder "$TRACKME_GEOCODER_URL"
}
