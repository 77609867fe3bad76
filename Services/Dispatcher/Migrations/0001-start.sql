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
comment on column enrolment.details is 'date of birth, call-back phone, contacts, conditions and the like; sealed';
create index enrolment_active on enrolment (account) where is_active;

create table monitor (
  account uuid constraint monitor_key primary key
    constraint monitor_enrolment references enrolment on delete cascade,
  phase text not null constraint monitor_phase check (phase in ('normal', 'alerted', 'confirmed', 'blind')),
  state bytea not null,
  heard_at timestamptz);
comment on column monitor.state is 'recent samples and positions; sealed; changed in the transaction that moves the feed''s cursor';
create index monitor_heard on monitor (heard_at) where phase <> 'blind';

create table incident (
  id uuid constraint incident_key primary key,
  account uuid not null,
  is_exercise boolean not null,
  state text not null constraint incident_state
    check (state in ('confirmed', 'handed-over', 'acknowledged', 'closed')),
  outcome text constraint incident_outcome
    check (outcome in ('accepted', 'false-alarm', 'suppressed', 'exercised')),
  opened_at timestamptz not null,
  not_before timestamptz not null,
  details bytea not null,
  sequence integer not null default 1,
  alert_sequence integer not null default 1,
  alert_at timestamptz not null,
  loser_sequence integer,
  cancel_sequence integer,
  cancelled_at timestamptz,
  accepted_by text,
  accepted_at timestamptz,
  closed_at timestamptz,
  revision bigint not null default 1,
  is_settled boolean not null default false,
  holder uuid,
  lease_until timestamptz not null,
  fence bigint not null default 1,
  constraint incident_closed check ((state = 'closed') = (closed_at is not null)),
  constraint incident_ended check (state <> 'closed' or outcome is not null),
  constraint incident_accepted check ((accepted_by is null) = (accepted_at is null)),
  constraint incident_cancelled check (cancelled_at is null or state = 'closed'),
  constraint incident_sequence check (
    sequence >= alert_sequence and sequence >= coalesce(loser_sequence, 1) and sequence >= coalesce(cancel_sequence, 1)));
comment on column incident.id is 'UUIDv5 of the person and the first critical sample: the same emergency is the same incident';
comment on column incident.not_before is 'end of the wearer''s abort window';
comment on column incident.sequence is 'of the last message made; alert, loser and cancel are those in force';
comment on column incident.revision is 'counts what the hand-over has to know of';
comment on column incident.is_settled is 'nothing is left to be delivered';
comment on column incident.lease_until is 'by this server''s clock; whoever holds the lease delivers, and is told apart by the fence';
create unique index incident_open_key on incident (account, is_exercise) where state <> 'closed';
create index incident_unsettled on incident (lease_until) where not is_settled;
create index incident_settled on incident (alert_at) where state = 'acknowledged';
create index incident_account on incident (account, opened_at desc, id);

create table handover (
  incident uuid not null constraint handover_incident references incident on delete cascade,
  hook text not null,
  ordinal integer not null,
  begun_at timestamptz not null,
  received_at timestamptz,
  received_sequence integer not null default 0,
  rejected_at timestamptz,
  constraint handover_key primary key (incident, hook),
  constraint handover_ordinal unique (incident, ordinal),
  constraint handover_received check ((received_at is null) = (received_sequence = 0)));
comment on table handover is 'the ambulance services that an incident was begun to be handed over to, in order';

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
  attempts integer not null default 0,
  due_at timestamptz not null);
comment on table notice is 'messages for the wearer, on their way to the accounts service';
create index notice_due on notice (due_at);
