-- Every shard has all of these tables. Three are used in the schema of the first one only, which is the service's own:

-- The shards beside the first, when there are several.
create table shard (
  number smallint constraint shard_key primary key constraint shard_number check (number > 0),
  -- Connection settings, in JSON; null: a schema in the service's own database.
  place text,
  -- Counts the moves.
  version integer not null default 0,
  -- Its schema was made. It is never made again: one that is lacking has moved.
  is_made boolean not null default false,
  -- Where a move that has begun goes to.
  moving_to text,
  -- Where the shard was before the last move, until its traces there are removed.
  moved_from text);

-- The schemas that moves have left where shards were, until they are dropped.
create table moved_schema (
  shard smallint not null,
  -- The number of the move, with which its name ends.
  version integer not null,
  -- Where it is, as in table shard.
  place text,
  left_at timestamptz not null default now(),
  constraint moved_schema_key primary key (shard, version));

-- The shard of each person, when there are several.
create table directory (
  account_id uuid constraint directory_key primary key,
  shard smallint not null);

-- What a move of the shard has written last: when its target has it, the target has all that was committed before.
create table move_mark (
  only_row boolean constraint move_mark_key primary key default true constraint move_mark_single check (only_row),
  mark uuid not null);

-- People whose samples are kept. A row appears with the feed accounts.changes or with the first sample, whichever is first.
create table person (
  account_id uuid constraint person_key primary key,
  -- Stands for the person in the tables of samples, and nowhere else: 4 bytes instead of 16.
  number integer generated always as identity constraint person_number unique,
  -- Number in the anonymous store; unknown until the feed tells it. Only rollups use it.
  subject integer,
  -- Arrivals up to this one are in blocks.
  sealed_through integer not null default 0,
  -- Zone, language, date of birth, sex and preferred sources (Accounts.PersonDetails), sealed with the person's key; null
  -- until the feed tells them.
  details bytea,
  -- How many spans of samples were deleted: what was read before and after one does not belong together.
  deletions integer not null default 0,
  -- Bytes of the samples and the summaries in those blocks, without what rows and indexes take beside.
  sample_bytes bigint not null default 0,
  summary_bytes bigint not null default 0,
  paused text[] not null default '{}',
  -- When the last pause ended: what was measured before is compared with table pause.
  pauses_ended_at timestamptz,
  -- Another one whenever something is told of one of the person's devices: what processes remember of these no longer holds. A
  -- random number, since a count would come again on a standby that lacked the last of it.
  devices_version integer not null default 0,
  -- A bit per data type that was ever stored of the person, the one of its number.
  types bigint not null default 0,
  -- A bit per data type that a device of the person was ever allowed to provide: once none may, nothing of it comes any more.
  provided_types bigint not null default 0,
  version bigint not null default 0,
  -- The Monday on which the last weekly report was made.
  reported_on date,
  erased_at timestamptz,
  constraint person_erased check (erased_at is null or subject is null and details is null)) with (fillfactor = 85);
-- The live feed asks of each event whether its person was erased: nearly nobody was.
create index person_erased_account on person (account_id) where erased_at is not null;
comment on column person.erased_at is 'a tombstone: nothing is taken for this account any more';

create table device (
  device_id uuid constraint device_key primary key,
  account_id uuid not null,
  -- A bit per data type that the person lets the device provide; null until accounts has told it: all.
  types bigint,
  is_removed boolean not null,
  version bigint not null,
  -- The last snapshot of accounts.changes that had begun when accounts told of it (table device_snapshot).
  snapshot integer not null default 0);
create index device_account on device (account_id);

-- Counts the snapshots of accounts.changes that were begun: at the end of one, devices that were not told of since its beginning
-- were removed while this service missed it.
create table device_snapshot (
  only_row boolean constraint device_snapshot_key primary key default true
    constraint device_snapshot_single check (only_row),
  number integer not null default 0);
insert into device_snapshot default values;

-- When a group of data types was not collected (ING-14), by this service's clock: that is why nothing was measured then, and
-- what comes of that time later is not stored.
create table pause (
  person integer not null,
  kind text not null,
  since timestamptz not null,
  -- Null while it lasts.
  until timestamptz,
  constraint pause_key primary key (person, kind, since));

-- Where a person's samples come from, numbered in the order of first sight. Number 0, which has no row, is manual entry.
create table source (
  person integer not null,
  number smallint not null constraint source_number check (number > 0),
  kind text not null constraint source_kind check (kind in ('device', 'import')),
  -- The device's id; of an import, a keyed hash of its name.
  identity uuid not null,
  -- What an import's file calls its source, sealed with the person's key; null where it does not.
  name bytea,
  -- Its owner was told that it sends nothing any more; null once it sends again.
  silence_told_at timestamptz,
  -- Of the numbers of its uploads (table upload) those up to this one are ranges, and when they were last gone through from the
  -- first one on: numbers in gaps may have come since.
  shrunk_through bigint,
  shrunk_at timestamptz,
  constraint source_key primary key (person, number),
  constraint source_identity unique (person, identity));

-- What arrived and is in no block yet: one row per upload, manual entry or piece of an import. Arrivals of a person are
-- numbered in the order of their commits (writers hold the person's advisory lock), so that readers go on from a number.
-- A partition holds the arrivals stored on one UTC day; it is dropped as a whole and never vacuumed.
create table arrival (
  -- By this database's clock, and of one person never before the one of the arrival before.
  stored_at timestamptz not null,
  person integer not null,
  arrival integer not null,
  -- 0 for manual entry, else of table source.
  source smallint not null,
  -- ArrivalContent's form, sealed with the person's key; bound to account and arrival.
  sealed bytea not null) partition by range (stored_at);
-- So that a shard can be moved by logical replication, which finds the partition of a deleted row by its time. Inserts take no
-- more room in the log.
alter table arrival replica identity full;
-- Sealed bytes do not compress.
alter table arrival alter column sealed set storage external;

-- Arrivals that could not be sealed for a week, as they were: they are in no block, and hold up nobody (SetAside).
create table arrival_set_aside (
  person integer not null,
  arrival integer not null,
  source smallint not null,
  stored_at timestamptz not null,
  sealed bytea not null,
  constraint arrival_set_aside_key primary key (person, arrival));

-- Makes the partitions of these days that are lacking. Attaching one delays no writer, as creating it in place would.
create function add_arrival_days(first date, last date) returns void language plpgsql as $$
declare
  day date;
  name text;
begin
  perform pg_advisory_xact_lock(hashtextextended('arrival days of ' || current_schema(), 0));
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'arrival_' || to_char(day, 'YYYYMMDD');
    if to_regclass(name) is null then
      execute format('create table %I (like arrival including storage)
        with (autovacuum_enabled = false, toast.autovacuum_enabled = false)', name);
      execute format('alter table %I add constraint %I primary key (person, arrival)', name, name || '_key');
      execute format('alter table %I replica identity full', name);
      execute format('alter table arrival attach partition %I for values from (%L) to (%L)', name,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
end $$;
select add_arrival_days((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 1);

-- A person's samples of one data type and one UTC day, sealed with the person's key and bound to person, type and day.
create table block (
  person integer not null,
  -- Of the beginning of its samples (of sleep: the end), in UTC, so that the zone of a sample does not say where it lies.
  day date not null,
  -- The data type's number.
  type smallint not null,
  -- The greatest number of an arrival with a sample in it: readers who have that one need not open it.
  last_arrival integer not null,
  -- SummaryCodec's form: the day's values by source and hour.
  summary bytea not null,
  -- BlockCodec's form; null when they had to go (ING-10).
  samples bytea,
  constraint block_key primary key (person, type, day));
-- The way of readers who go through the days, without those blocks of which they have everything.
create index block_day on block (person, day, type, last_arrival) where samples is not null;
-- Sealed bytes do not compress.
alter table block alter column summary set storage external, alter column samples set storage external;

-- The numbers of uploads that devices have used, also for uploads of which nothing was stored. After 30 days rows become
-- ranges of numbers without gaps: a range has its first number, and no content. Of a device whose numbers have very many gaps the
-- ranges of the lowest numbers are forgotten (UploadLedger).
create table upload (
  -- Of a range the last one, so that one look-up (the first row not below a number) finds both.
  upload bigint not null,
  -- Of a range that of the upload that was received last.
  received_at timestamptz not null,
  -- Keyed hash of what was sent, so that the same number with other samples is told from a repeat.
  content bigint,
  person integer not null,
  source smallint not null,
  -- How many samples are stored, of an upload that was taken as a whole; else `answer` tells.
  samples smallint,
  first bigint,
  -- How an upload was judged, so that its repeat is answered in the same way (EarlierArrival).
  answer bytea,
  constraint upload_key primary key (person, source, upload),
  constraint upload_kind check (case when first is null then content is not null and (samples is null) <> (answer is null)
    else first <= upload and content is null and samples is null and answer is null end)) partition by hash (person);
-- Partitions keep the keys' trees low and let rows that have become ranges be cleaned up side by side.
create table upload_0 partition of upload for values with (modulus 8, remainder 0);
create table upload_1 partition of upload for values with (modulus 8, remainder 1);
create table upload_2 partition of upload for values with (modulus 8, remainder 2);
create table upload_3 partition of upload for values with (modulus 8, remainder 3);
create table upload_4 partition of upload for values with (modulus 8, remainder 4);
create table upload_5 partition of upload for values with (modulus 8, remainder 5);
create table upload_6 partition of upload for values with (modulus 8, remainder 6);
create table upload_7 partition of upload for values with (modulus 8, remainder 7);

-- Pieces of imported files, and manual entries, that were stored: the same again is stored once.
create table import_part (
  person integer not null,
  -- Keyed hash of the samples.
  content uuid not null,
  received_at timestamptz not null,
  -- Those of manual entries are kept for 30 days.
  is_entry boolean not null,
  answer bytea not null,
  constraint import_part_key primary key (person, content));
create index import_part_entry on import_part (received_at) where is_entry;

-- Spans of samples that people delete. The row says up to which arrival; what comes later is kept. One transaction does it,
-- so that no reader sees a half of it.
create table deletion (
  account_id uuid not null,
  deletion uuid not null,
  created_at timestamptz not null,
  -- The number of the person's last arrival when it was asked for.
  through integer not null,
  -- SpanDeletion.Content, sealed with the person's key; bound to account and deletion.
  content bytea not null,
  is_done boolean not null default false,
  -- How often it has failed, and when it is tried next.
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  constraint deletion_key primary key (account_id, deletion));
create index deletion_due on deletion (due_at) where not is_done;

-- The spans that a person has deleted, for as long as the person is here: files that are imported bring nothing of them back.
create table deleted_span (
  account_id uuid constraint deleted_span_key primary key,
  -- DeletedSpans' form, sealed with the person's key; bound to account.
  spans bytea not null);

-- Files that people import: received in pieces, then read by a worker of any replica, which holds a lease.
create table import_job (
  job uuid constraint import_job_key primary key,
  account_id uuid not null,
  created_at timestamptz not null,
  state text not null default 'receiving'
    constraint import_job_state check (state in ('receiving', 'waiting', 'reading', 'done')),
  -- Bytes, and of the whole file, if the sender told it.
  received bigint not null default 0,
  length bigint,
  pieces integer not null default 0,
  lease uuid,
  lease_until timestamptz,
  -- How often a worker began without getting further than the one before.
  tries integer not null default 0,
  -- ImportProgress, sealed with the person's key; bound to `job`.
  progress bytea,
  changed_at timestamptz not null default now(),
  constraint import_job_length check (state = 'receiving' or length = received),
  constraint import_job_lease check ((lease is null) = (lease_until is null)));
create index import_job_account on import_job (account_id, created_at);
create index import_job_open on import_job (created_at, job) where state in ('waiting', 'reading');

-- The pieces of these files, until they are read.
create table import_data (
  job uuid not null constraint import_data_job references import_job on delete cascade,
  number integer not null,
  -- Sealed with the person's key; bound to job and number.
  sealed bytea not null,
  constraint import_data_key primary key (job, number));
alter table import_data alter column sealed set storage external;

-- Messages to people that were not handed to the accounts service yet (ING-11, ING-12).
create table notice (
  id uuid constraint notice_key primary key,
  account_id uuid not null,
  template text not null,
  content bytea not null,
  email boolean not null,
  is_urgent boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0);
create index notice_due on notice (is_urgent, due_at);
create index notice_account on notice (account_id);

-- People whose samples, or whose arrivals, are published in ingestion.live, with the service that asked.
create table watch (
  source text not null constraint watch_source check (source in ('dispatcher', 'track4run', 'query')),
  entity uuid not null,
  account_id uuid not null,
  is_watched boolean not null,
  -- A mask of the data types that the service gets.
  types bigint not null,
  -- Only samples measured in this time, both inclusive; both null: whenever they were measured.
  measured_from timestamptz,
  measured_to timestamptz,
  -- Since when the service watches the person without a break.
  since timestamptz not null default now(),
  -- Samples that arrive later are not published.
  until timestamptz,
  -- The samples, or only that some arrived.
  tells text not null default 'samples' constraint watch_tells check (tells in ('samples', 'arrivals')),
  version bigint not null,
  -- While a snapshot is being taken: whether it has mentioned this.
  is_mentioned boolean not null default true,
  constraint watch_key primary key (source, entity),
  -- What third parties ask for changes nothing in how a device measures.
  constraint watch_of_query check (source <> 'query' or tells = 'arrivals'),
  constraint watch_interval check ((measured_from is null) = (measured_to is null)));
create index watch_account on watch (account_id) where is_watched;

-- What was published of a person and a day for group statistics, sealed with the person's key: a publication of the day that
-- is asked for again has the same values, whatever was added, deleted or preferred since.
create table day_value (
  person integer not null,
  day date not null,
  -- PublishedDay's form.
  sealed bytea not null,
  constraint day_value_key primary key (person, day));
alter table day_value alter column sealed set storage external;

-- One row: which days are being counted of this schema's people, and of whom they are (day_value).
create table counting (
  only_row boolean constraint counting_key primary key default true constraint counting_single check (only_row),
  -- The pass of closing that counts. What an earlier one still wants to keep is refused.
  pass integer not null default 0,
  first_day date,
  last_day date,
  -- All people up to this number.
  through integer not null default 0);
insert into counting default values;

-- The days that were published.
create table closed_day (day date constraint closed_day_key primary key);

-- One row: up to which UTC day rollups were published.
create table rollup_state (
  only_row boolean constraint rollup_state_key primary key default true constraint rollup_state_single check (only_row),
  closed_through date,
  -- The number of the last pass of closing. One at a time: until then no other begins, and one that another follows
  -- publishes nothing any more.
  pass integer not null default 0,
  pass_until timestamptz,
  -- The days that are counted together, or were last.
  counting_first date,
  counting_last date,
  -- Days up to this one are to be closed at once, as was asked for.
  requested_through date,
  -- Values published so far.
  rollups bigint not null default 0,
  is_released boolean not null default false);
comment on column rollup_state.is_released is 'days were closed by hand once: the setting rollups.hold no longer holds';
insert into rollup_state default values;
