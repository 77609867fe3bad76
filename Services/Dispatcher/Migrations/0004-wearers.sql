-- What a person has accepted, pauses of monitoring, and what wearers and their devices were told (SOS-01, SOS-04, SOS-08).

alter table enrolment
  add column clauses_accepted_at timestamptz,
  add column paused_until timestamptz,
  add constraint enrolment_pause check (paused_until is null or is_active);
update enrolment set clauses_accepted_at = enrolled_at;
alter table enrolment alter column clauses_accepted_at set not null;
comment on column enrolment.clauses_accepted_at is
  'when the person accepted clauses_version, and granted that an ambulance service is called and told what it needs';
comment on column enrolment.paused_until is
  'nobody watches until then, by this server''s clock; a paused person has no monitor';
create index enrolment_paused on enrolment (paused_until) where paused_until is not null;

create index monitor_alerted on monitor (account) where phase in ('alerted', 'confirmed');

create table wearer (
  account uuid constraint wearer_key primary key,
  version bigint not null constraint wearer_version check (version > 0),
  phase text not null constraint wearer_phase check (phase in ('normal', 'alerted', 'confirmed')),
  incident uuid,
  revision bigint,
  constraint wearer_incident check ((incident is null) = (revision is null)));
comment on table wearer is 'of what dispatcher.wearers has told last: it lets who tells find what is new, and gives events their versions';
comment on column wearer.version is 'counts what was told; the version of the entity in dispatcher.wearers';
comment on column wearer.revision is 'of the incident';
create index wearer_told on wearer (account) where incident is not null or phase <> 'normal';
