-- What happens for a third party, in one order: outcomes of its requests, their payments, and the data that it gets (SUB-02,
-- REQ-07, REQ-12, PAY-01).

create table recipient (
  requester_id uuid constraint recipient_key primary key,
  last_number bigint not null constraint recipient_number check (last_number >= 0));
comment on table recipient is 'third parties, with the number of their last event';

-- Rows are added while the recipient's row is locked, so that who has read one has seen all before. Apart from having left they
-- stay as they are: they are the results of the request, too. Old ones with data move to `event_pack`, many to a row.
create table event (
  requester_id uuid not null,
  number bigint not null,
  id uuid not null,
  request_id uuid not null,
  kind text not null constraint event_kind check (kind in (
    'request.accepted', 'request.refused', 'request.lapsed', 'request.withdrawn', 'request.ended', 'payment.due',
    'payment.paid', 'data.samples', 'data.sums', 'data.unavailable', 'data.available')),
  types smallint[] not null,
  counts integer[] not null,
  measured_from timestamptz,
  measured_to timestamptz,
  content bytea,
  has_left boolean not null default false,
  created_at timestamptz not null,
  constraint event_key primary key (requester_id, number),
  constraint event_content check (
    (kind in ('data.samples', 'data.sums')) = (content is not null) and (content is null) = (measured_from is null)
    and (measured_from is null) = (measured_to is null)
    and cardinality(counts) = case when content is null then 0 else cardinality(types) end))
  with (fillfactor = 90);
comment on column event.id is 'what an event is called outside, the same whenever it is sent; of data it begins with created_at';
comment on column event.types is 'of data those in it, of an acceptance those accepted, of what is not available those';
comment on column event.counts is 'samples of each type';
comment on column event.has_left is 'data that has not goes when the consent ends';
create index event_of_request on event (request_id, number);
-- Not BRIN: where old rows were, new ones stand.
create index event_old on event (created_at);

-- Events with data of one request that have left and are a week old (Events/README.md): each row is as many of them as it has ids.
-- Apart from `event`, so that its indexes do not keep a nearly empty page for each of these rows.
create table event_pack (
  requester_id uuid not null,
  number bigint not null,
  first_number bigint not null,
  request_id uuid not null,
  kind text not null constraint event_pack_kind check (kind in ('data.samples', 'data.sums')),
  steps integer[] not null,
  ids uuid[] not null,
  samples bigint not null,
  measured_from timestamptz not null,
  measured_to timestamptz not null,
  first_at timestamptz not null,
  created_at timestamptz not null,
  content bytea not null,
  constraint event_pack_key primary key (requester_id, number, first_number),
  constraint event_pack_ids check (cardinality(steps) = cardinality(ids) and cardinality(ids) between 1 and 256),
  constraint event_pack_numbers check (steps[1] = 0 and first_number + steps[cardinality(steps)] = number),
  constraint event_pack_window check (first_number >> 18 = number >> 18),
  constraint event_pack_span check (created_at - first_at >= '0' and created_at - first_at < '24 hours'));
comment on column event_pack.number is 'of the last';
comment on column event_pack.first_number is
  'numbers are cut into windows of 2^18, and no pack is in two: so it is known where the packs end that go past a number';
comment on column event_pack.steps is 'the numbers, counted from the first';
comment on column event_pack.ids is 'those of the events, which begin with the times when they were made';
comment on column event_pack.samples is 'of all together';
comment on column event_pack.first_at is 'the earliest time when one was made; created_at is the latest';
comment on column event_pack.content is 'sealed: what they hold, deflated';
-- Compressed already, or random.
alter table event_pack alter column content set storage external, alter column ids set storage external,
  alter column steps set storage external;
create index event_pack_of_request on event_pack (request_id, number, first_number);
-- One by its id, which has its time.
create index event_pack_of_time on event_pack (requester_id, created_at, first_at);
-- Rows come in the order of time.
create index event_pack_old on event_pack using brin (created_at);

-- How far the events of a request are packed. Who packs holds the row; who erases deletes it first.
create table packing (
  request_id uuid constraint packing_key primary key constraint packing_request references request on delete cascade,
  packed_to bigint not null default 0,
  due_at timestamptz not null);
comment on column packing.packed_to is 'rows of event up to this number stay rows';
create index packing_due on packing (due_at);

-- How far the data of an accepted request has become events.
create table reading (
  request_id uuid constraint reading_key primary key constraint reading_request references request on delete cascade,
  requester_id uuid not null,
  position bytea not null constraint reading_position check (length(position) = 32),
  touched text constraint reading_touched check (length(touched) <= 65536),
  next_at timestamptz);
comment on column reading.position is 'ingestion''s: what comes before it is in events, but for what is touched';
comment on column reading.touched is 'spans of which sums are to be given still, or again: JSON';
comment on column reading.next_at is 'of updates at an interval: nothing before then';
create index reading_of_requester on reading (requester_id);
