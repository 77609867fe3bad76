-- The audit trail of one service, <schema>_audit: it belongs to trackme_audit, whom nobody logs in as, and the service's role may
-- read it and add to it. psql variables: schema, role (as role.sql sets it).
\set audit_schema :schema _audit
SELECT 'CREATE ROLE trackme_audit' WHERE 'trackme_audit' NOT IN (SELECT rolname FROM pg_roles)
\gexec
ALTER ROLE trackme_audit WITH NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD NULL;
CREATE SCHEMA IF NOT EXISTS :"audit_schema" AUTHORIZATION trackme_audit;

SET ROLE trackme_audit;
-- The functions keep this path.
SET search_path = :"audit_schema", pg_temp;
\ir audit-tables.sql
GRANT USAGE ON SCHEMA :"audit_schema" TO :"role";
GRANT SELECT ON audit_head, audit_waiting, audit_entry TO :"role";
GRANT INSERT (actor, action, pseudonym, on_behalf_of, purpose) ON audit_waiting TO :"role";
GRANT EXECUTE ON FUNCTION audit_tie(bigint, integer), audit_settle(), audit_delete(timestamptz) TO :"role";
RESET search_path;
RESET ROLE;
