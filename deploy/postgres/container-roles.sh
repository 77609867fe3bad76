#!/usr/bin/env bash
# Makes the databases, roles and schemas of a PostgreSQL in a container, or brings them up to date: run at every start of
# the suite, so that a start that was broken off, or a newer suite, needs nothing else. PGHOST and the like say where.
set -euo pipefail

passwords=${TRACKME_PASSWORDS:-/run/trackme-passwords}
PGPASSWORD=$(<"$passwords/trackme_admin.password")
export PGPASSWORD PGOPTIONS='-c client_min_messages=warning'
exec psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username=trackme_admin --dbname=postgres \
    --set=passwords="$passwords" --file="$(dirname "${BASH_SOURCE[0]}")/roles.sql"
