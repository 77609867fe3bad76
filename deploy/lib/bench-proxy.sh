#!/usr/bin/env bash
# For `deploy/bench proxy`: becomes nginx, configured as ever, in front of one server that plays all services. It is one process
# that ends with its caller. Arguments: a directory for its files, the port to listen at, the server's port.
set -euo pipefail
shopt -s inherit_errexit

DEPLOY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
for part in messages layout packages config pages maps proxy; do
    # shellcheck source=/dev/null
    source "$DEPLOY/lib/$part.sh"
done

server_port=$3
public_port() { printf '%d' "$server_port"; }
host_of() { printf '127.0.0.1'; }
# shellcheck disable=SC2034 # lib/proxy.sh reads them
PROXY_LISTEN=127.0.0.1:$2 PROXY_RUNTIME=$1 PROXY_LOG=$1/nginx.log
# That of containers has no address for operators.
layout_use containers "$1" "$1"
unset TRACKME_CERTIFICATE_FILE TRACKME_KEY_FILE
proxy_files "$1" "$1"
exec "$(proxy_program)" -p "$1/" -c nginx.conf -g 'master_process off;'
