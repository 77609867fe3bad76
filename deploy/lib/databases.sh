# Databases, roles and schemas inside the private cluster.

# psql as the cluster's superuser. First argument: the file with its password; the others go to psql.
admin_psql() {
    local password
    password=$(<"$1")
    PGHOST=$CLUSTER_SOCKETS PGPORT=$DATABASE_PORT PGUSER=$ADMIN_ROLE PGPASSWORD=$password PGOPTIONS='-c client_min_messages=warning' \
        "$POSTGRES_BIN/psql" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 "${@:2}"
}

# Makes, or brings up to date, the suite's databases, roles and schemas. Argument: the directory of the passwords.
databases_ensure() {
    admin_psql "$1/$ADMIN_ROLE.password" --dbname=postgres --set=passwords="$1" \
        --file="$CHECKOUT/deploy/postgres/roles.sql" >/dev/null || die "the databases' roles and schemas could not be made."
}

# The databases of the tests: their role owns both and is no superuser. Arguments: the superuser's password file, and the role's.
test_databases_create() {
    admin_psql "$1" --dbname=postgres --set=password_file="$2" --file="$CHECKOUT/deploy/postgres/test.sql" >/dev/null ||
        die "the tests' databases could not be made."
}
