-- Runs, who takes part in them, how far they are, and how they ended. Names of people and what is known of their way are
-- sealed (NFR-05).

create table planning (
  only_row boolean constraint planning_key primary key default true constraint planning_single check (only_row));
comment on table planning is 'locked while a run is planned, so that two plans cannot miss each other (RUN-03)';
insert into planning default values;

create function search_words(written text) returns tsvector language sql immutable parallel safe
  return to_tsvector('simple', translate(lower(written), 'àáâäèéêëìíîïòóôöùúûü', 'aaaaeeeeiiiioooouuuu'));
comment on function search_words is 'the words of a text as they are searched for: small, without accents (RUN-05)';
create function search_query(written text) returns tsquery language sql immutable parallel safe
  return (
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery
    from unnest(search_words(written)));
comment on function search_query is 'finds texts that have a word with each of these beginnings; null, so nothing, without words';

create table run (
  id uuid constraint run_key primary key,
  code text collate "C" not null constraint run_code unique constraint run_code_letters check (code ~ '^[A-Z]{6}$'),
  organiser_id uuid not null,
  organiser_kind text not null constraint run_organiser_kind
    check (organiser_kind in ('individual', 'third-party', 'organiser')),
  organiser_name bytea,
  company_name text,
  name text not null,
  description text not null,
  place text not null,
  clauses text not null,
  path bytea not null,
  checkpoints bytea not null,
  length_m float8 not null constraint run_length check (length_m > 0),
  start_latitude float8 not null,
  start_longitude float8 not null,
  south float8 not null,
  west float8 not null,
  north float8 not null,
  east float8 not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  enrolment_deadline timestamptz not null,
  participants_max integer not null constraint run_participants_max check (participants_max between 2 and 10000),
  participants integer not null default 0,
  last_bib integer not null default 0,
  state text not null default 'open' constraint run_state check (state in ('open', 'cancelled', 'final')),
  version bigint not null default 1,
  plan integer not null default 1,
  created_at timestamptz not null,
  started_at timestamptz,
  closed_at timestamptz,
  words tsvector not null
    generated always as (search_words(code || ' ' || name || ' ' || place || ' ' || description)) stored,
  constraint run_organiser_named check (
    (organiser_kind <> 'individual') = (company_name is not null) and (company_name is null or organiser_name is null)),
  constraint run_period check (starts_at < ends_at),
  constraint run_deadline check (enrolment_deadline <= starts_at),
  constraint run_capacity check (participants between 0 and participants_max),
  constraint run_closing check ((state = 'open') = (closed_at is null)));
comment on column run.path is 'coordinates of a GeoJSON LineString, as JSON; public, as is the whole row but an individual''s name';
comment on column run.organiser_name is 'of an individual; null once that one is erased';
comment on column run.company_name is 'of a company, as it publishes it; stays when the company leaves';
comment on column run.version is 'counts the changes of the run and of who takes part, for what is in memory';
comment on column run.plan is
  'counts the changes of what the organiser has planned, for plans that were compared with this one (RUN-03)';
comment on column run.started_at is 'when those who had not checked in were removed (RUN-08)';

create index run_words on run using gin (words);
create index run_by_start on run (starts_at, id);
create index run_of_organiser on run (organiser_id, starts_at);
create index run_open on run (starts_at, id) where state = 'open';
create index run_cancelled on run (starts_at, id) where state = 'cancelled';

create table runner (account_id uuid constraint runner_key primary key);
comment on table runner is 'locked while somebody enrols, so that two enrolments of one person cannot miss each other (RUN-06)';

create table enrolment (
  run_id uuid not null constraint enrolment_run references run,
  runner_id uuid not null constraint enrolment_runner references runner,
  bib integer not null constraint enrolment_bib_positive check (bib > 0),
  name bytea not null,
  state text not null default 'enrolled'
    constraint enrolment_state check (state in ('enrolled', 'checked-in', 'left', 'removed', 'out')),
  enrolled_at timestamptz not null,
  clauses_accepted boolean not null default true,
  left_at timestamptz,
  missed_at timestamptz,
  missed_count bigint not null default 0,
  ask_after timestamptz,
  asked_at timestamptz,
  consent_version bigint not null default 0,
  shares_heart_rate boolean not null default false,
  watch_version bigint not null default 0,
  is_mentioned boolean not null default true,
  constraint enrolment_left check ((state = 'left') = (left_at is not null)),
  constraint enrolment_key primary key (run_id, runner_id),
  constraint enrolment_bib unique (run_id, bib));
comment on column enrolment.state is
  'enrolled, then checked in by accepting; left by the runner after the start, who did not finish; removed at the start without accepting; out after withdrawing the acceptance, or with a cancelled run';
comment on column enrolment.clauses_accepted is
  'false from a change of the clauses until the runner accepts the new ones: nobody else is asked for the check-in (RUN-06)';
comment on column enrolment.is_mentioned is
  'by the snapshot of query.consents that is being taken: tells check-ins that it mentions from those that it does not (RUN-08)';
comment on column enrolment.ask_after is 'the next try to ask for the check-in';

comment on column enrolment.missed_at is
  'samples of the runner were missed, or came out of order, and are to be read from ingestion; null: none';

comment on column enrolment.missed_count is
  'how often that was found: what is found while the samples are read makes them be read again';
create index enrolment_missed on enrolment (missed_at) where missed_at is not null;
create index enrolment_of_runner on enrolment (runner_id);
create index enrolment_to_ask on enrolment (run_id) where state = 'enrolled' and asked_at is null;

create sequence watch_version;
comment on sequence watch_version is 'versions of the feed track4run.watch';

create table progress (
  run_id uuid not null constraint progress_run references run,
  runner_id uuid not null,
  content bytea not null,
  generation integer not null default 0,
  moved_at timestamptz not null default now(),
  constraint progress_key primary key (run_id, runner_id)) with (fillfactor = 50);
comment on column progress.generation is
  'how often the runner''s fixes were gone through from the first on, because some came out of order or were missed';
comment on table progress is 'how far a runner is, while the run goes on; written with the cursor of ingestion.live';

create table result (
  run_id uuid not null constraint result_run references run,
  runner_id uuid not null,
  rank integer not null,
  content bytea not null,
  constraint result_key primary key (run_id, runner_id),
  constraint result_rank unique (run_id, rank));

create table notice (
  id uuid constraint notice_key primary key,
  account_id uuid not null,
  template text not null,
  content bytea not null,
  is_urgent boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0);
comment on table notice is 'messages to people on their way to accounts; the id makes a second delivery recognisable';
create index notice_due on notice (is_urgent, due_at);
