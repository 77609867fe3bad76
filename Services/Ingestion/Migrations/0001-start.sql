-- People whose samples are kept. A row appears with the feed accounts.changes or with the first sample, whichever is first.
create table person (
  account_id uuid constraint person_key primary key,
  -- Number in the anonymous store; unknown until the feed tells it. Only rollups use it.
  subject integer,
  paused text[] not null default '{}',
  -- A bit per data type that was ever stored of the person, the one of its number.
  types bigint not null default 0,
  version bigint not null default 0,
  erased_at timestamptz,
  constraint person_erased check (erased_at is null or subject is null));
comment on column person.erased_at is 'a tombstone: nothing is taken for this account any more';

create table device (
  device_id uuid constraint device_key primary key,
  account_id uuid not null,
  -- A bit per data type that the person lets the device provide; null until accounts has told it: all.
  types bigint,
  is_removed boolean not null,
  version bigint not null);
create index device_account on device (account_id);

-- What arrived, as it arrived: one row per upload, manual entry or piece of an import. Of one person, rows are committed in
-- the order of arrival (writers hold the person's advisory lock), so that readers go on from a number.
create table arrival (
  arrival bigint generated always as identity,
  id uuid not null,
  account_id uuid not null,
  -- Both null for what did not come from a device.
  device_id uuid,
  upload bigint,
  -- Keyed hash: of what a device sent, so that the same number with other samples is told from a repeat; of what of an
  -- entry or a piece of an import is stored, so that the same again is stored once.
  content bytea not null,
  -- How often it was sent again.
  repeats integer not null default 0,
  received_at timestamptz not null,
  sent_at timestamptz not null,
  -- By this database's clock, and of one person in the order of arrival.
  stored_at timestamptz not null default clock_timestamp(),
  -- Null for an upload of which nothing was stored.
  earliest timestamptz,
  latest timestamptz,
  -- A bit per data type, the one of its number.
  types bigint not null,
  sample_count integer not null,
  -- SampleCodec's form, sealed with the person's key; bound to `id`.
  sealed bytea not null,
  -- How an upload was judged, so that its repeat is answered in the same way: what was not collected at the time,
  paused text[] not null default '{}',
  -- a bit per data type that was dropped, since the device was not to provide it,
  withheld bigint not null default 0,
  -- and whether its times were judged by sent_at as well (SOS-05).
  is_by_device_clock boolean not null default false,
  constraint arrival_key primary key (account_id, arrival),
  constraint arrival_samples check (
    sample_count > 0 and earliest is not null and latest is not null
    or sample_count = 0 and earliest is null and latest is null and device_id is not null),
  constraint arrival_source check ((device_id is null) = (upload is null)));
create unique index arrival_upload on arrival (account_id, device_id, upload) where device_id is not null;
create unique index arrival_content on arrival (account_id, content) where device_id is null;
-- A person's samples in the order of time, so that repeats meet each other.
create index arrival_time on arrival (account_id, earliest, arrival);
-- Sealed bytes do not compress.
alter table arrival alter column sealed set storage external;

-- People whose samples are published in ingestion.live, with the service that asked.
create table watch (
  source text not null constraint watch_source check (source in ('dispatcher', 'track4run')),
  entity uuid not null,
  account_id uuid not null,
  is_watched boolean not null,
  -- Only samples measured in this time, both inclusive; both null: whenever they were measured.
  measured_from timestamptz,
  measured_to timestamptz,
  -- Since when the service watches the person without a break.
  since timestamptz not null default now(),
  -- Samples that arrive later are not published.
  until timestamptz,
  version bigint not null,
  -- While a snapshot is being taken: whether it has mentioned this.
  is_mentioned boolean not null default true,
  constraint watch_key primary key (source, entity),
  constraint watch_interval check ((measured_from is null) = (measured_to is null)));
create index watch_account on watch (account_id) where is_watched;

-- One row: up to which UTC day rollups were published.
create table rollup_state (
  only_row boolean constraint rollup_state_key primary key default true constraint rollup_state_single check (only_row),
  closed_through date,
  is_released boolean not null default false);
comment on column rollup_state.is_released is 'days were closed by hand once: the setting rollups.hold no longer holds';
insert into rollup_state default values;
