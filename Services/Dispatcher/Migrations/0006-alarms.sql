-- Alarms for the operator (SOS-13): what needs somebody, until it is acknowledged or over, and how it leaves the process.

create table operator_alarm (
  id uuid constraint operator_alarm_key primary key,
  kind text not null,
  subject text not null,
  incident uuid,
  detail text not null default '',
  occurrences bigint not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  over_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  member_of uuid constraint operator_alarm_member references operator_alarm on delete set null,
  tellings integer not null default 0,
  next_at timestamptz,
  constraint operator_alarm_acknowledged check ((acknowledged_at is null) = (acknowledged_by is null)));
comment on table operator_alarm is 'nothing personal: kinds, names of hooks, numbers of incidents';
comment on column operator_alarm.subject is 'what it is about, once open for each kind: a hook, an incident, or nothing';
comment on column operator_alarm.member_of is 'the mass event that it belongs to: told with it, not by itself';
comment on column operator_alarm.tellings is 'how often it was told';
comment on column operator_alarm.next_at is 'when it is told (again); null: no more';
create unique index operator_alarm_open_key on operator_alarm (kind, subject) where over_at is null;
create index operator_alarm_due on operator_alarm (next_at) where next_at is not null;
create index operator_alarm_incident on operator_alarm (incident) where incident is not null;
create index operator_alarm_time on operator_alarm (last_at);

create table mass_event_incident (
  incident uuid constraint mass_event_incident_key primary key
    constraint mass_event_incident_incident references incident on delete cascade,
  alarm uuid not null constraint mass_event_incident_alarm references operator_alarm on delete cascade);
comment on table mass_event_incident is 'the incidents of many in one area within a minute';
create index mass_event_incident_alarm on mass_event_incident (alarm);

create table operator_pace (
  is_one boolean constraint operator_pace_key primary key constraint operator_pace_one check (is_one),
  told_at timestamptz not null);
comment on table operator_pace is 'when alarms were told last, by whichever replica: those that come together are told together';

create table operator_message (
  place text constraint operator_message_key primary key,
  id uuid not null,
  content text not null,
  is_sent boolean not null default false,
  attempts integer not null default 0,
  due_at timestamptz not null);
comment on table operator_message is 'the newest message for each hook and each mail address of the operator; it has all that is open, so it takes the place of the one before';
create index operator_message_due on operator_message (due_at) where not is_sent;

create index incident_step_alarmed on incident_step (at) where kind = 'operator-alarmed';
