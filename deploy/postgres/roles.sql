-- The suite's databases, and a login role with a schema of its own for each of their users; of each service the audit trail, too,
-- which belongs to no login role. May be run again at any time.
-- psql variable: passwords, the directory with <role>.password for every role below.
\set ON_ERROR_STOP 1
-- A statement that fails is not to leave a password in the log.
SET log_min_error_statement = panic;

SELECT format('CREATE DATABASE %I', name)
FROM (VALUES ('trackme'), ('trackme_keys')) AS wanted (name)
WHERE name NOT IN (SELECT datname FROM pg_database)
\gexec

-- The databases that the server comes with are for the administrator alone.
\connect template1
\ir closed.sql
\connect postgres
\ir closed.sql

-- The limits leave room below max_connections = 400 for the administrator and for replication.
\connect trackme
\ir closed.sql
\set schema accounts
\set connections_max 60
\ir role.sql
\ir audit.sql
\set schema ingestion
\set connections_max 60
\ir role.sql
\ir audit.sql
\set schema query
\set connections_max 50
\ir role.sql
\ir audit.sql
\set schema statistics
\set connections_max 20
\ir role.sql
\set schema dispatcher
\set connections_max 40
\ir role.sql
\ir audit.sql
\set schema track4run
\set connections_max 40
\ir role.sql
\ir audit.sql

\connect trackme_keys
\ir closed.sql
\set schema keys
\set connections_max 20
\ir role.sql
\set schema accounts_keys
\set connections_max 20
\ir role.sql
\set schema query_keys
\set connections_max 20
\ir role.sql
\set schema dispatcher_keys
\set connections_max 20
\ir role.sql
\set schema track4run_keys
\set connections_max 20
\ir role.sql
