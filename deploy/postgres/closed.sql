-- Nobody has rights in the current database but those whom role.sql gives some.
SET log_min_error_statement = panic;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database())
\gexec
