-- Who is watched, what the monitors know, and the emergencies with every step of their hand-over (SOS).

create table enrolment (
  account uuid constraint enrolment_key primary key,
  version bigint not null constraint enrolment_version check (version > 0),
  is_active boolean not null,
  rules text not null,
  clauses_version text not null,
  details bytea not null,
  enrolled_at timestamptz not null,
  changed_at timestamptz not null,
  ended_at timestamptz,
  constraint enrolment_end check (is_active = (ended_at is null)));
comment on column enrolment.version is 'counts the changes; the version of the entity in dispatcher.watch';
comment on column enrolment.details is 'date of birth, call-back phone, contacts, conditions and the like; sealed with the person''s key';
create index enrolment_active on enrolment (account) where is_active;

create table monitor (
  account uuid constraint monitor_key primary key
    constraint monitor_enrolment references enrolment on delete cascade,
  phase text not null constraint monitor_phase check (phase in ('normal', 'alerted', 'confirmed', 'blind')),
  state bytea not null,
  last_vital_at timestamptz not null,
  judge_by timestamptz);
comment on column monitor.state is 'recent samples and positions; sealed with the person''s key; changed in the transaction that moves the feed''s cursor';
comment on column monitor.last_vital_at is 'when ingestion received the last vital sign, by this server''s clock';
comment on column monitor.judge_by is 'something critical was read late, and waits for what came after it until then';
create index monitor_last_vital on monitor (last_vital_at) where phase <> 'blind';
create index monitor_waiting on monitor (judge_by) where judge_by is not null;

create table run_watch (
  entity uuid constraint run_watch_key primary key,
  account uuid not null,
  begins_at timestamptz,
  ends_at timestamptz,
  version bigint not null,
  is_mentioned boolean not null default true,
  changed_at timestamptz not null default clock_timestamp(),
  constraint run_watch_times check ((begins_at is null) = (ends_at is null)));
comment on table run_watch is 'who takes part in a run, and when, from track4run.watch; without times, or with an end before the begin: nobody';
create index run_watch_account on run_watch (account);

create table feed_gap (
  account uuid constraint feed_gap_key primary key,
  opened_at timestamptz not null,
  recorded_at timestamptz,
  attempts integer not null default 0,
  claim uuid,
  claimed_until timestamptz not null default '-infinity');
comment on table feed_gap is
  'people of whom ingestion.live did not bring everything; it is read from ingestion''s storage instead';
comment on column feed_gap.opened_at is 'when the samples were missed, by this server''s clock';
comment on column feed_gap.recorded_at is 'the last event that ingestion withheld, by its database''s clock; null: everything before now';
comment on column feed_gap.claim is 'whoever reads the person';
comment on column feed_gap.claimed_until is 'until then nobody else reads the person; after a failure, nobody';
create index feed_gap_next on feed_gap (claimed_until);

create table incident (
  id uuid constraint incident_key primary key,
  account uuid not null,
  is_exercise boolean not null,
  state text not null constraint incident_state
    check (state in ('confirmed', 'handed-over', 'acknowledged', 'closed')),
  outcome text constraint incident_outcome
    check (outcome in ('resolved', 'expired', 'false-alarm', 'suppressed', 'exercised', 'unanswered')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  restricted_at timestamptz,
  accepted_by text,
  machine jsonb not null,
  details bytea,
  record bytea,
  record_key uuid,
  revision bigint not null default 1,
  due_at timestamptz,
  holder uuid,
  lease_until timestamptz not null,
  fence bigint not null default 1,
  constraint incident_sealed check ((details is null) = (record is not null)),
  constraint incident_own_key check ((record is null) = (record_key is null)),
  constraint incident_closed check ((state = 'closed') = (closed_at is not null)),
  constraint incident_ended check ((state = 'closed') = (outcome is not null)),
  constraint incident_acknowledged check (state <> 'acknowledged' or accepted_by is not null));
comment on column incident.id is 'UUIDv5 of the person and the first critical sample: the same emergency is the same incident';
comment on column incident.opened_at is 'by this server''s clock; all ages in the state machine count from here';
comment on column incident.restricted_at is 'the person is erased: kept for its retention, without contacts, and shown by no route';
comment on column incident.machine is
  'the state machine (Incidents/States.md): stage, messages, hand-overs; state, outcome and accepted_by follow from it; nothing personal';
comment on column incident.details is
  'who, where, what was measured; sealed with the service''s key, so that no alarm waits for the key store; put away once nobody has to look after it';
comment on column incident.record is 'the same, put away: sealed with the incident''s own key';
comment on column incident.record_key is 'that key in the key store; destroyed with the incident';
comment on column incident.revision is 'counts the changes';
comment on column incident.due_at is 'when somebody has to look after it; null: never again';
comment on column incident.lease_until is 'by this server''s clock; whoever holds the lease delivers, and is told apart by the fence';
create unique index incident_open_key on incident (account, is_exercise) where state <> 'closed';
create index incident_due on incident (due_at) where due_at is not null;
create index incident_to_put_away on incident (closed_at) where details is not null and closed_at is not null;
create index incident_account on incident (account, opened_at desc, id);

create table incident_step (
  incident uuid not null constraint incident_step_incident references incident on delete cascade,
  number bigint generated always as identity,
  at timestamptz not null,
  kind text not null,
  hook text,
  detail text,
  constraint incident_step_key primary key (incident, number));
comment on column incident_step.detail is 'a number or a word from the program; nothing personal';

create table notice (
  id uuid constraint notice_key primary key,
  account uuid not null,
  template text not null,
  content bytea not null,
  email boolean not null,
  is_urgent boolean not null,
  attempts integer not null default 0,
  due_at timestamptz not null);
comment on table notice is 'messages for the wearer, on their way to the accounts service';
create index notice_due on notice (is_urgent, due_at);
