-- What happens for a third party, in one order: outcomes of its requests, their payments, and the data that it gets (SUB-02,
-- REQ-07, REQ-12, PAY-01).

create table recipient (
  requester_id uuid constraint recipient_key primary key,
  last_number bigint not null constraint recipient_number check (last_number >= 0));
comment on table recipient is 'third parties, with the number of their last event';

-- Rows are added while the recipient's row is locked, so that who has read one has seen all before. Apart from having left they
-- stay as they are: they are the results of the request, too.
create table event (
  requester_id uuid not null,
  number bigint not null,
  id uuid not null,
  request_id uuid not null,
  kind text not null constraint event_kind check (kind in (
    'request.accepted', 'request.refused', 'request.lapsed', 'request.withdrawn', 'request.ended', 'payment.due',
    'payment.paid', 'data.samples', 'data.sums')),
  types smallint[] not null,
  counts integer[] not null,
  measured_from timestamptz,
  measured_to timestamptz,
  content bytea,
  has_left boolean not null default false,
  created_at timestamptz not null,
  constraint event_key primary key (requester_id, number),
  constraint event_content check (
    (kind like 'data.%') = (content is not null) and (content is null) = (measured_from is null)
    and (measured_from is null) = (measured_to is null)
    and cardinality(counts) = case when content is null then 0 else cardinality(types) end))
  with (fillfactor = 90);
comment on column event.id is 'what an event is called outside, the same whenever it is sent';
comment on column event.types is 'of data those in it, of an acceptance those accepted';
comment on column event.counts is 'samples of each type';
comment on column event.has_left is 'data that has not goes when the consent ends';
create index event_of_request on event (request_id, number);
-- Rows come in the order of time.
create index event_old on event using brin (created_at);

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
