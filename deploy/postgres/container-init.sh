#!/usr/bin/env bash
# Run once by the PostgreSQL image on a new data directory: the same settings, roles and schemas that deploy/run makes.
set -euo pipefail

# A container logs to its own output.
printf "%s\n" "include '/etc/trackme/postgres/settings.conf'" 'logging_collector = off' >>"$PGDATA/postgresql.conf"
# The image listens on its network; only passwords open it.
printf '%s\n' 'local all all scram-sha-256' 'host all all all scram-sha-256' >"$PGDATA/pg_hba.conf"
PGPASSWORD=$(<"$POSTGRES_PASSWORD_FILE") psql --no-psqlrc --quiet --username="$POSTGRES_USER" --dbname=postgres \
    --set=passwords=/run/trackme-passwords --file=/etc/trackme/postgres/roles.sql
