-- Tries are counted by name and client address (login_attempt), and more loosely by name alone, so that who guesses from
-- elsewhere does not keep the owner out (ACC-08).

create table login_name_attempt (
  login_index bytea constraint login_name_attempt_key primary key,
  tries integer not null constraint login_name_attempt_tries check (tries > 0),
  since timestamptz not null);
create index login_name_attempt_by_age on login_name_attempt (since);

create table login_place (
  place_index bytea constraint login_place_key primary key,
  seen_at timestamptz not null);
comment on table login_place is 'name and client address of log-ins that were right';
create index login_place_by_age on login_place (seen_at);

-- Wrong passwords in a row, for the mail to the owner. Names without an account have a row, too, so that they take the
-- same time (ACC-07).
create table wrong_password (
  account uuid constraint wrong_password_key primary key,
  tries integer not null constraint wrong_password_tries check (tries > 0),
  last_at timestamptz not null,
  is_told boolean not null default false);
create index wrong_password_by_age on wrong_password (last_at);
create index wrong_password_untold on wrong_password (account) where not is_told and tries >= 3;

create index pairing_open on pairing (expires_at) where device is null;

-- Who asked, besides the service (NFR-06).
alter table audit_entry add column on_behalf_of uuid;
comment on column audit_entry.on_behalf_of is 'the account that asked, by its pseudonym';
