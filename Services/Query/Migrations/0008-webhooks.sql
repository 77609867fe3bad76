-- Webhooks: servers of third parties that are sent what happens, each event by a call of its own (SUB-02, REQ-07).

-- Processes that send. A webhook belongs to one of them; those of a process that is gone are free.
create table webhook_sender (
  id uuid constraint webhook_sender_key primary key,
  lease_until timestamptz not null);
comment on column webhook_sender.lease_until is 'by the clock of the database';

create table webhook (
  id uuid constraint webhook_key primary key,
  requester_id uuid not null,
  content bytea not null,
  secrets bytea not null,
  payload text not null constraint webhook_payload check (payload in ('thin', 'full')),
  kinds text[] not null,
  state text not null default 'active' constraint webhook_state check (state in ('active', 'paused', 'disabled')),
  reason text constraint webhook_known_reason check (reason in ('failing', 'gone')),
  position bigint not null constraint webhook_position check (position >= 0),
  failing_since timestamptz,
  holder uuid,
  fence bigint not null default 0,
  created_at timestamptz not null,
  constraint webhook_reason check ((state = 'disabled') = (reason is not null)),
  constraint webhook_holder_of_active check (holder is null or state = 'active'));
comment on column webhook.content is 'the address, which may hold a secret, and what the third party calls it';
comment on column webhook.secrets is 'what signs, and until a time what signed before';
comment on column webhook.kinds is 'of the events that are sent; empty is all, also those of kinds to come';
comment on column webhook.position is 'events up to this one are done, but for those of people in webhook_held';
comment on column webhook.failing_since is 'by the clock of the database: since then every attempt has failed';
comment on column webhook.fence is 'counts the processes that have held it, and the changes that need a new start';
create index webhook_of_requester on webhook (requester_id, created_at, id);
create index webhook_of_holder on webhook (holder);

-- People of whom an event could not be sent: it is tried again, and what comes after it waits. That of others goes on.
create table webhook_held (
  webhook_id uuid not null constraint webhook_held_webhook references webhook on delete cascade,
  lane_id uuid not null,
  from_number bigint not null,
  attempts integer not null constraint webhook_held_attempts check (attempts >= 0),
  next_at timestamptz not null,
  constraint webhook_held_key primary key (webhook_id, lane_id));
comment on column webhook_held.lane_id is 'the individual, or the request of somebody who was erased';
comment on column webhook_held.next_at is 'by the clock of the database';
create index webhook_held_lane on webhook_held (lane_id);

-- What was tried, for the third party to see.
create table webhook_attempt (
  webhook_id uuid not null constraint webhook_attempt_webhook references webhook on delete cascade,
  id uuid not null,
  event_id uuid not null,
  request_id uuid,
  kind text not null,
  attempt integer not null,
  began_at timestamptz not null,
  duration_ms integer not null,
  status smallint,
  error text,
  next_at timestamptz,
  constraint webhook_attempt_key primary key (webhook_id, began_at, id));
comment on column webhook_attempt.request_id is 'null of a test';
comment on column webhook_attempt.attempt is 'from 1; 0 of a test and of an event that was sent again by hand';
comment on column webhook_attempt.error is 'null of one that was delivered';
-- Rows come in the order of time.
create index webhook_attempt_old on webhook_attempt using brin (began_at);

-- When each third party last had its webhooks called by hand: that has a limit.
create table webhook_by_hand (
  requester_id uuid constraint webhook_by_hand_key primary key,
  called_at timestamptz[] not null constraint webhook_by_hand_calls check (cardinality(called_at) between 1 and 60));
comment on column webhook_by_hand.called_at is 'of the last hour, by the clock of the database';

-- One that is sent again by its id.
create index event_of_id on event (requester_id, id);
