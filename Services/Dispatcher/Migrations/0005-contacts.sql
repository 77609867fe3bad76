-- Emergency contacts (SOS-09): who wants to be one, what they are told of, and what became of each message. Apart from the tables of
-- incidents, which nothing here writes: no alarm waits for it.

create table contact (
  account uuid not null,
  contact bytea not null,
  state text not null constraint contact_state check (state in ('asked', 'confirmed', 'declined')),
  named_at timestamptz not null,
  asked_at timestamptz,
  answered_at timestamptz,
  constraint contact_key primary key (account, contact),
  constraint contact_answer check ((state = 'asked') = (answered_at is null)));
comment on table contact is 'whether the contacts that somebody has named want to be contacts';
comment on column contact.contact is 'keyed hash of the person, the phone number and the e-mail address, which stand in the enrolment';
comment on column contact.asked_at is 'when the question was put into the queue; null: not yet, or asked too often';

create table contact_asking (
  place bytea constraint contact_asking_key primary key,
  asked_at timestamptz[] not null);
comment on table contact_asking is 'how often a number or an address was asked, whoever named it, and how often a person has asked';
comment on column contact_asking.place is 'keyed hash of the number, the address or the account';

create table contact_token (
  token_hash bytea constraint contact_token_key primary key,
  account uuid not null,
  contact bytea not null,
  incident uuid constraint contact_token_incident references incident on delete cascade,
  until timestamptz not null);
comment on table contact_token is 'links in messages to contacts: with an incident its state, without one the answer to the question';
create index contact_token_account on contact_token (account);
create index contact_token_incident on contact_token (incident) where incident is not null;
create index contact_token_until on contact_token (until);

create table contact_telling (
  incident uuid constraint contact_telling_key primary key
    constraint contact_telling_incident references incident on delete cascade,
  revision bigint not null,
  told jsonb not null,
  due_at timestamptz,
  ended_at timestamptz);
comment on table contact_telling is 'what the contacts were told of an incident (ContactTelling); nothing personal';
comment on column contact_telling.revision is 'of the incident, as it was looked at';
comment on column contact_telling.due_at is 'when something may have to be told without a change of the incident';
comment on column contact_telling.ended_at is 'nothing more is told';
create index contact_telling_due on contact_telling (due_at) where ended_at is null and due_at is not null;
create index incident_opened on incident (opened_at) where not is_exercise;

create table contact_event (
  id uuid constraint contact_event_key primary key,
  account uuid not null,
  kind text not null constraint contact_event_kind check (kind in ('asked', 'rule', 'late', 'sensor-lost')),
  content bytea,
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null);
comment on table contact_event is 'what contacts are to be told of beside incidents, until it has become messages';
comment on column contact_event.content is 'with the service''s key: no alarm waits for the key store';
create index contact_event_due on contact_event (due_at);
create index contact_event_account on contact_event (account);

create table contact_message (
  id uuid constraint contact_message_key primary key,
  account uuid not null,
  contact bytea not null,
  incident uuid constraint contact_message_incident references incident on delete cascade,
  channel text not null constraint contact_message_channel check (channel in ('sms', 'call', 'email')),
  kind text not null,
  is_urgent boolean not null,
  state text not null constraint contact_message_state
    check (state in ('waiting', 'handed-over', 'delivered', 'answered', 'failed', 'expired', 'superseded')),
  content bytea,
  hook text,
  attempts integer not null default 0,
  failures integer not null default 0,
  fault text,
  created_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz not null,
  constraint contact_message_content check (content is not null or state <> 'waiting'));
comment on table contact_message is 'the queue of messages to contacts, and afterwards what became of them';
comment on column contact_message.content is 'with the service''s key; gone when nothing is to be sent any more';
comment on column contact_message.attempts is 'the number of the last attempt: what is told of an earlier one does not count';
comment on column contact_message.failures is 'how often a hook that had taken it said that it did not arrive: another one to be sent each time';
comment on column contact_message.fault is 'why the last attempt failed: a word of the program';
create index contact_message_due on contact_message (is_urgent, channel, due_at) where state = 'waiting';
create index contact_message_account on contact_message (account, created_at desc);
create index contact_message_incident on contact_message (incident) where incident is not null;
create index contact_message_content_until on contact_message (expires_at) where content is not null;
