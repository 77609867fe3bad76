-- Requests of third parties (and, for check-ins, of a run's organiser) for one individual's data, and the consents that
-- answer them. What people wrote or are called is sealed (NFR-05).

create table request (
  id uuid constraint request_key primary key,
  requester_id uuid not null,
  individual_id uuid not null,
  run_id uuid,
  mode text not null constraint request_mode check (mode in ('once', 'subscription')),
  granularity text not null constraint request_granularity check (granularity in ('raw', 'minute', 'hour', 'day', 'week')),
  frequency text constraint request_frequency check (frequency in ('live', 'daily', 'weekly', 'interval')),
  every_minutes smallint constraint request_every_minutes check (every_minutes between 5 and 1440),
  types smallint[] not null constraint request_types check (cardinality(types) between 1 and 64),
  data_from timestamptz not null,
  data_to timestamptz not null,
  reason bytea not null,
  requester_name bytea,
  requester_email bytea,
  requester_vat_number bytea,
  named bytea not null,
  state text not null default 'pending' constraint request_state
    check (state in ('pending', 'accepted', 'refused', 'lapsed', 'withdrawn', 'ended')),
  version integer not null default 1,
  created_at timestamptz not null,
  lapses_at timestamptz not null,
  decided_at timestamptz,
  accepted_types smallint[],
  access_until timestamptz,
  closed_at timestamptz,
  constraint request_updates check ((mode = 'subscription') = (frequency is not null)),
  constraint request_interval check ((frequency is not distinct from 'interval') = (every_minutes is not null)),
  constraint request_aggregates check (granularity = 'raw' or not 1 = any (types)),
  constraint request_period check (data_from < data_to),
  constraint request_patience check (created_at < lapses_at),
  constraint request_decision check ((state = 'pending') = (decided_at is null)),
  constraint request_closing check ((state in ('pending', 'accepted')) = (closed_at is null)),
  constraint request_acceptance check (
    (accepted_types is null) = (access_until is null)
    and (state not in ('accepted', 'withdrawn') or accepted_types is not null)
    and (state not in ('pending', 'refused', 'lapsed') or accepted_types is null)),
  constraint request_part check (accepted_types <@ types and cardinality(accepted_types) >= 1),
  constraint request_check_in_position check (run_id is null or accepted_types is null or 1 = any (accepted_types)));
comment on column request.named is 'what the requester called the individual: for the requester''s own history only';
comment on column request.requester_name is 'null of an individual who organised a run and has left';
comment on column request.requester_email is 'of the organiser, for the check-in of a run; so the VAT number, of a company';
comment on column request.run_id is 'set for the check-in of a run';
comment on column request.access_until is 'an acceptance ends by itself then: some time after the period, for data that comes late';
comment on column request.version is 'counts the states, for the feed query.consents';

create unique index request_open on request (requester_id, individual_id)
  where run_id is null and state in ('pending', 'accepted');
create index request_of_requester on request (requester_id, created_at, id);
create index request_of_individual on request (individual_id, created_at, id);
create index request_old on request (closed_at) where closed_at is not null;
create index request_lapsing on request (lapses_at) where state = 'pending';
create index request_ending on request (access_until) where state = 'accepted';

-- A request is in exactly one state, is decided once, only from pending, and deciding changes nothing else (REQ-05).
create function request_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.requester_id, new.individual_id, new.run_id, new.mode, new.granularity, new.frequency,
      new.every_minutes, new.types, new.data_from, new.data_to, new.reason,
      new.requester_name, new.requester_email, new.requester_vat_number, new.named, new.created_at, new.lapses_at)
    is distinct from
     (old.id, old.requester_id, old.individual_id, old.run_id, old.mode, old.granularity, old.frequency,
      old.every_minutes, old.types, old.data_from, old.data_to, old.reason,
      old.requester_name, old.requester_email, old.requester_vat_number, old.named, old.created_at, old.lapses_at) then
    raise exception 'what was asked for never changes' using errcode = 'check_violation', constraint = 'request_fixed';
  end if;
  if not (old.state = 'pending' and new.state in ('accepted', 'refused', 'lapsed', 'ended')
      or old.state = 'accepted' and new.state in ('withdrawn', 'ended')) then
    raise exception 'a request does not go from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'request_transition';
  end if;
  if new.version <> old.version + 1
    or old.state = 'accepted' and (new.decided_at, new.accepted_types, new.access_until)
      is distinct from (old.decided_at, old.accepted_types, old.access_until) then
    raise exception 'a decision stands' using errcode = 'check_violation', constraint = 'request_decided_once';
  end if;
  return new;
end $$;
-- An erasure takes out what the one who asked is called, by itself.
create trigger request_change
  before update of id, requester_id, individual_id, run_id, mode, granularity, frequency, every_minutes, types, data_from, data_to,
    created_at, lapses_at, state, version, decided_at, accepted_types, access_until, closed_at on request
  for each row execute function request_change();

-- Individuals of whom a third party was ever let have something. A row is locked while requests of the individual change, and its
-- version counts these changes, for the feed query.watch.
create table watch (
  individual_id uuid constraint watch_key primary key,
  version bigint not null default 1);

-- Who received which data and when, and who looked the person up (REQ-11): one row per answer, download, stream or look-up.
create table access (
  id uuid constraint access_key primary key,
  individual_id uuid not null,
  requester_id uuid not null,
  request_id uuid constraint access_request references request,
  requester_name bytea,
  way text not null constraint access_way check (way in ('look-up', 'page', 'download', 'stream', 'webhook', 'mail', 'result')),
  types smallint[] not null,
  counts bigint[] not null default '{}',
  measured_from timestamptz,
  measured_to timestamptz,
  began_at timestamptz not null,
  last_at timestamptz not null,
  permitted_at timestamptz not null default now(),
  constraint access_look_up check (
    (way = 'look-up') = (request_id is null) and (way = 'look-up') = (requester_name is not null)),
  constraint access_counts check (cardinality(counts) = case way when 'look-up' then 0 else cardinality(types) end));
comment on column access.requester_name is 'of a look-up; otherwise the request has it';
comment on column access.types is 'those that left; of a look-up those that were asked for';
comment on column access.counts is 'samples of each type that left';
comment on column access.permitted_at is
  'by the clock of the database: a permission to write holds for a second from here, and a withdrawal is answered after it (REQ-10)';
create index access_of_individual on access (individual_id, began_at, id);
create index access_of_request on access (request_id, last_at);
create index access_old on access (last_at);

-- Messages to people that were not handed to the accounts service yet (REQ-04, REQ-07, REQ-10).
create table notice (
  id uuid constraint notice_key primary key,
  account_id uuid not null,
  template text not null,
  content bytea not null,
  is_urgent boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0);
create index notice_due on notice (is_urgent, due_at);

-- Searches for people, whatever they found (REQ-02, REQ-03): guessing is limited, and can be looked into.
create table search_attempt (
  id uuid constraint search_attempt_key primary key,
  requester_id uuid not null,
  searched bytea not null,
  attempted_at timestamptz not null,
  is_miss boolean);
create index search_attempt_of_requester on search_attempt (requester_id, attempted_at);
create index search_attempt_old on search_attempt (attempted_at);
comment on column search_attempt.searched is 'blind index of the fiscal code or e-mail address';
comment on column search_attempt.is_miss is
  'nobody, or nothing of what was asked for, was found; null while it is looked up, and of a look-up that broke off: both count as misses';

-- How many people a third party may look up in an hour, where the operator has set it (REQ-02).
create table requester_limit (
  requester_id uuid constraint requester_limit_key primary key,
  searches_max integer not null constraint requester_limit_searches check (searches_max between 1 and 100000),
  misses_max integer not null constraint requester_limit_misses check (misses_max between 1 and searches_max),
  set_at timestamptz not null);

-- Third parties' questions about groups and what they were answered (GRP-07). What was released and charged for them is in the
-- anonymous store, and stays.
create table group_request (
  id uuid constraint group_request_key primary key,
  requester_id uuid not null,
  asked_at timestamptz not null,
  question bytea not null,
  key bytea not null constraint group_request_key_length check (length(key) = 32),
  outcome text not null constraint group_request_outcome check (outcome in ('answered', 'too-few-people')),
  buckets bytea,
  balance bytea,
  invoice_id uuid,
  constraint group_request_answer check (
    (outcome = 'answered') = (buckets is not null) and (buckets is null) = (balance is null)),
  constraint group_request_invoice check (invoice_id is null or outcome = 'answered'));
comment on column group_request.key is 'of the question, the same however it is written';
comment on column group_request.invoice_id is
  'null of what is free; a repeat has that of the first. No reference: an invoice is kept for another time';
create index group_request_of_requester on group_request (requester_id, asked_at, id);
create index group_request_asked on group_request (requester_id, key, asked_at);
create index group_request_old on group_request (asked_at);
