-- What was journalled on a machine's disk while this database was away, and who the enrolled are (SOS-07).

create table journal_entry (
  id uuid constraint journal_entry_key primary key,
  incident uuid not null constraint journal_entry_incident references incident on delete cascade,
  applied_at timestamptz not null default clock_timestamp());
comment on table journal_entry is
  'entries of local journals whose events the incidents have: written in the transaction that applies them, so that none counts twice';
create index journal_entry_by_incident on journal_entry (incident);

create table enrolled_person (
  account uuid constraint enrolled_person_key primary key
    constraint enrolled_person_enrolment references enrolment on delete cascade,
  identity bytea,
  told_at timestamptz,
  due_at timestamptz,
  attempts integer not null default 0);
comment on table enrolled_person is
  'who the people are that are watched, as accounts has told: an ambulance service is told while accounts is away';
comment on column enrolled_person.identity is 'name, fiscal code, birth date and sex; sealed with the person''s key';
comment on column enrolled_person.due_at is 'when accounts is to be asked again: something of the person has changed, or was not told yet';
create index enrolled_person_due on enrolled_person (due_at) where due_at is not null;
