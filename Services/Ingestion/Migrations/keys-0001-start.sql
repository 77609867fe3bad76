-- The key store: in a database of its own, whose backups are kept 30 days at most. Erasing a person is destroying the key.
create table subject_key (
  account_id uuid constraint subject_key_key primary key,
  -- Wrapped by the service's key; null once it was destroyed, which lasts.
  wrapped bytea,
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  constraint subject_key_destroyed check ((wrapped is null) = (destroyed_at is not null)));

-- Keys of what is published in ingestion.rollups. Each is deleted a week after it was made.
create table publication_key (
  publication uuid constraint publication_key_key primary key,
  wrapped bytea not null,
  made_at timestamptz not null default now());
