-- The tests' databases and their owner. psql variable: password_file.
\set ON_ERROR_STOP 1
SET log_min_error_statement = panic;
\set password `cat :'password_file'`
CREATE ROLE trackme_test WITH LOGIN PASSWORD :'password';
-- Benchmarks begin with what was made on the disk.
GRANT pg_checkpoint TO trackme_test;
CREATE DATABASE trackme_test OWNER trackme_test;
CREATE DATABASE trackme_test_keys OWNER trackme_test;
