-- In the key store: keys of what is published in ingestion.rollups. Each is deleted a week after it was made.
create table publication_key (
  publication uuid constraint publication_key_key primary key,
  wrapped bytea not null,
  made_at timestamptz not null default now());
