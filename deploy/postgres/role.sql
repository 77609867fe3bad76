-- One login role, trackme_<schema>, and the one schema that it owns, in the current database.
-- psql variables: schema, connections_max, passwords (directory).
\set role trackme_ :schema
\set password_file :passwords / :role .password
\set password `cat :'password_file'`

SELECT format('CREATE ROLE %I', :'role') WHERE :'role' NOT IN (SELECT rolname FROM pg_roles)
\gexec
ALTER ROLE :"role" WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
    CONNECTION LIMIT :connections_max PASSWORD :'password';
ALTER ROLE :"role" SET search_path = :"schema";

SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), :'role')
\gexec
CREATE SCHEMA IF NOT EXISTS :"schema" AUTHORIZATION :"role";
REVOKE ALL ON SCHEMA :"schema" FROM PUBLIC;
