-- Accounts and who stands behind them (ACC-01 to ACC-05). What is personal is encrypted by the service before it gets
-- here; columns named …_index are keyed hashes for looking it up.

-- An e-mail address belongs to one owner: an individual (then the owner is the address itself) or a company (its VAT
-- number), which belongs to one address in turn (ACC-01).
create table email_owner (
  email_index bytea constraint email_owner_key primary key,
  owner_index bytea not null constraint email_owner_owner_key unique,
  constraint email_owner_pair_key unique (email_index, owner_index));

create table account (
  id uuid constraint account_key primary key,
  kind text not null constraint account_kind check (kind in ('individual', 'third-party', 'organiser')),
  email_index bytea not null,
  owner_index bytea not null,
  email bytea not null,
  language text not null constraint account_language check (language in ('it', 'en')),
  pseudonym uuid not null constraint account_pseudonym_key unique,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  undeliverable_since timestamptz,
  undeliverable_status text,
  version bigint not null default 0,
  admitted_at timestamptz,
  suspended_at timestamptz,
  constraint account_admitted check (admitted_at is null or kind = 'third-party'),
  constraint account_kind_key unique (id, kind),
  constraint account_email_key unique (email_index, kind),
  constraint account_email_owner foreign key (email_index, owner_index)
    references email_owner (email_index, owner_index),
  constraint account_individual_owner check ((kind = 'individual') = (email_index = owner_index)));
comment on column account.confirmed_at is 'no log-in before (ACC-06)';
comment on column account.admitted_at is 'since when the operator lets the third party ask about groups; else its tokens lack that scope';
comment on column account.suspended_at is 'by the operator: no log-ins and no programs since; devices go on';
comment on column account.undeliverable_since is 'mail to the address comes back, with this status code (RFC 3463)';
comment on column account.pseudonym is 'names the person in the audit trail; goes with the account (NFR-06)';
comment on column account.version is 'of the account and all that belongs to it, in feed accounts.changes';
create index account_unconfirmed on account (created_at) where confirmed_at is null;

create table person (
  account uuid constraint person_key primary key,
  kind text not null default 'individual' constraint person_kind check (kind = 'individual'),
  fiscal_code_index bytea not null constraint person_fiscal_code_key unique,
  profile bytea not null,
  subject integer constraint person_subject_key unique,
  subject_version bigint not null default 0,
  excluded_types smallint[] not null default '{}',
  pauses_begun integer not null default 0,
  pauses_counted_at timestamptz,
  former_places text[] not null default '{}' constraint person_former_places check (cardinality(former_places) <= 20),
  constraint person_account foreign key (account, kind) references account (id, kind) on delete cascade);
comment on column person.excluded_types is 'that no device may provide';
comment on column person.pauses_begun is 'since pauses_counted_at, of a day';
comment on column person.former_places is
  'of removed devices that had replaced others: its id, then theirs, the last first; the place of the last removed one first';
comment on column person.subject is 'in the anonymous store; from confirmation on';

create table picture (
  account uuid constraint picture_key primary key constraint picture_person references person on delete cascade,
  content bytea not null,
  changed_at timestamptz not null);
-- Sealed bytes do not compress.
alter table picture alter column content set storage external;

create table company (
  account uuid constraint company_key primary key,
  kind text not null constraint company_kind check (kind in ('third-party', 'organiser')),
  vat_index bytea not null,
  name_index bytea not null,
  profile bytea not null,
  constraint company_vat_key unique (vat_index, kind),
  constraint company_account foreign key (account, kind) references account (id, kind) on delete cascade);
create unique index company_name_key on company (name_index) where kind = 'third-party';

create table terms_acceptance (
  account uuid not null constraint terms_acceptance_account references account on delete cascade,
  version text not null constraint terms_acceptance_version check (version <> ''),
  accepted_at timestamptz not null,
  way text not null
    constraint terms_acceptance_way check (way in ('registration', 'parent', 'log-in', 'session', 'provisioning')),
  constraint terms_acceptance_key primary key (account, version, way));
comment on column terms_acceptance.way is 'how it was given; a child of 14 years accepts what its parent has accepted';

-- What an individual consents to, and did before: the newest of a purpose holds (GDPR 7, 9).
create table consent_receipt (
  account uuid not null constraint consent_receipt_account references account on delete cascade,
  number integer not null constraint consent_receipt_number check (number > 0),
  purpose text not null
    constraint consent_receipt_purpose check (purpose in ('health-data', 'position', 'emergency-calls')),
  is_given boolean not null,
  way text not null
    constraint consent_receipt_way check (way in ('registration', 'parent', 'log-in', 'session', 'provisioning')),
  version text not null,
  language text not null constraint consent_receipt_language check (language in ('it', 'en')),
  recorded_at timestamptz not null,
  constraint consent_receipt_key primary key (account, number));
comment on column consent_receipt.version is 'of the text that was shown, in that language';

-- Who has filled in the form for somebody else (ACC-02).
create table registration_helper (
  account uuid constraint registration_helper_key primary key
    constraint registration_helper_account references account on delete cascade,
  relation text not null constraint registration_helper_relation check (relation in ('relative', 'parent')),
  content bytea not null,
  email_confirmed_at timestamptz,
  parent_confirmed_at timestamptz,
  own_at timestamptz,
  constraint registration_helper_parent check (relation = 'parent' or parent_confirmed_at is null));
comment on column registration_helper.email_confirmed_at is 'that of the account, while the parent has not confirmed';
comment on column registration_helper.own_at is 'when the person has confirmed it at a log-in';

create table confirmation (
  token_hash bytea constraint confirmation_key primary key,
  account uuid not null constraint confirmation_account references account on delete cascade,
  is_parent boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null);
create index confirmation_by_account on confirmation (account);

-- Links for a new password (ACC-09).
create table password_reset (
  token_hash bytea constraint password_reset_key primary key,
  account uuid not null constraint password_reset_account references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null);
create index password_reset_by_account on password_reset (account);

-- Who asks is answered before anything is looked up, so that the time tells nothing of who has an account.
create table password_reset_request (
  email_index bytea constraint password_reset_request_key primary key,
  asked_at timestamptz not null);

-- Logging in (ACC-07, ACC-08, ACC-16).

create table password (
  account uuid constraint password_key primary key constraint password_account references account on delete cascade,
  hash text not null,
  changed_at timestamptz not null);

-- The secret of an authenticator app, in force once it is confirmed; each code is good once (RFC 6238).
create table second_factor (
  account uuid constraint second_factor_key primary key
    constraint second_factor_account references account on delete cascade,
  secret bytea not null,
  begun_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0);
comment on column second_factor.last_step is 'of 30 seconds since 1970, whose code was used last';

create table recovery_code (
  account uuid not null constraint recovery_code_account references account on delete cascade,
  code_index bytea not null,
  constraint recovery_code_key primary key (account, code_index));

-- Passkeys (W3C WebAuthn), a second factor, too. Within an account an authenticator's id for one is known once.
create table passkey (
  account uuid not null constraint passkey_account references account on delete cascade,
  id uuid not null,
  credential_id bytea not null constraint passkey_credential_length check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  sign_count bigint not null constraint passkey_sign_count check (sign_count >= 0),
  name bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint passkey_key primary key (account, id),
  constraint passkey_credential unique (account, credential_id));
comment on column passkey.public_key is 'COSE (RFC 9052)';

create table passkey_challenge (
  account uuid not null constraint passkey_challenge_account references account on delete cascade,
  challenge_hash bytea not null,
  purpose text not null constraint passkey_challenge_purpose check (purpose in ('creation', 'log-in')),
  expires_at timestamptz not null,
  constraint passkey_challenge_key primary key (account, challenge_hash));
create index passkey_challenge_by_end on passkey_challenge (expires_at);

-- Wrong codes and passkeys, counted together.
create table factor_try (
  account uuid constraint factor_try_key primary key
    constraint factor_try_account references account on delete cascade,
  wrong integer not null constraint factor_try_wrong check (wrong > 0),
  wrong_since timestamptz not null);

-- By the name that was typed, whether an account has it or not, so that slowing down tells nothing.
create table login_attempt (
  login_index bytea constraint login_attempt_key primary key,
  tries integer not null constraint login_attempt_tries check (tries > 0),
  last_at timestamptz not null,
  not_before timestamptz not null);
create index login_attempt_by_age on login_attempt (last_at);

-- The same more loosely by name alone, so that who guesses from elsewhere does not keep the owner out (ACC-08).
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

create table session (
  id uuid constraint session_key primary key,
  account uuid not null constraint session_account references account on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null);
create index session_by_account on session (account);
create index session_by_age on session (expires_at);

create table refresh_token (
  token_hash bytea constraint refresh_token_key primary key,
  session uuid constraint refresh_token_session references session on delete cascade,
  device uuid,
  issued_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz,
  constraint refresh_token_owner check (num_nonnulls(session, device) = 1));
comment on column refresh_token.device is 'an application that a person has authorised';
comment on column refresh_token.replaced_at is 'as used_at, but by the database''s clock: for a moment the same pair may be asked for again';
create index refresh_token_by_session on refresh_token (session) where session is not null;
create index refresh_token_by_device on refresh_token (device) where device is not null;
create index refresh_token_used on refresh_token (used_at) where used_at is not null;

-- What was revoked of late (ACC-15, ACC-16): the snapshot of feed accounts.revocations.
create table revocation (
  id uuid constraint revocation_key primary key,
  kind text not null constraint revocation_kind check (kind in ('session', 'account')),
  revoked_at timestamptz not null,
  is_lasting boolean not null);
comment on column revocation.id is 'of a session, device, client or account';
comment on column revocation.is_lasting is 'of a device or account, whose tokens may serve for 72 hours while this service is away';
create index revocation_by_age on revocation (revoked_at);

-- The keys that access tokens are signed with, as all replicas know them (ACC-16). Times are of the database's clock.
create table signing_key (
  id text constraint signing_key_key primary key constraint signing_key_id check (length(id) = 43),
  public_key bytea not null constraint signing_key_public_key check (length(public_key) = 32),
  proof bytea not null,
  published_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  withdrawn_at timestamptz);
comment on column signing_key.id is 'the key''s thumbprint (RFC 7638)';
comment on column signing_key.proof is 'keyed hash of the public key, so that only who has the service''s keys adds one';
comment on column signing_key.seen_at is 'when a replica last had it among its files: only then it can sign';

-- Devices and applications (ACC-14, ACC-15).

-- Applications of others that deliver people's data, as the operator has admitted them (ACC-14).
create table source_application (
  id uuid constraint source_application_key primary key,
  name text not null,
  redirect_uris text[] not null constraint source_application_uris check (cardinality(redirect_uris) > 0),
  data_types smallint[] not null constraint source_application_types check (cardinality(data_types) > 0),
  secret_hash bytea,
  admitted_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  constraint source_application_withdrawn check ((withdrawn_at is null) = (withdrawal_reason is null)));
comment on column source_application.secret_hash is 'null: it runs on people''s devices, and can keep none';
create unique index source_application_name on source_application (lower(name)) where withdrawn_at is null;

create table device (
  id uuid constraint device_key primary key,
  account uuid not null constraint device_account references account on delete cascade,
  name bytea not null,
  offered_types smallint[] not null constraint device_offered check (cardinality(offered_types) > 0),
  data_types smallint[] not null constraint device_types check (data_types <@ offered_types),
  secret_hash bytea,
  created_at timestamptz not null,
  token_at timestamptz,
  replaced_at timestamptz,
  replaced uuid[] not null default '{}' constraint device_replaced check (cardinality(replaced) <= 20),
  application uuid constraint device_application references source_application,
  constraint device_application_once unique (account, application));
comment on column device.application is 'that the person has authorised; null for a device';
comment on column device.replaced_at is 'when it took the place of another one';
comment on column device.replaced is 'ids of the devices whose place it has, one after the other, the last first';
comment on column device.data_types is 'what its owner lets it provide, of what it offers';
comment on column device.secret_hash is 'null until the device has fetched its secret';
create index device_by_application on device (application, id) where application is not null;
alter table refresh_token add constraint refresh_token_device foreign key (device) references device on delete cascade;

-- A person's word on an application, until it has fetched its tokens (RFC 6749). Times are of the database's clock.
create table authorization_code (
  code_hash bytea constraint authorization_code_key primary key,
  account uuid not null constraint authorization_code_account references account on delete cascade,
  application uuid not null constraint authorization_code_application references source_application,
  redirect_uri text not null,
  challenge bytea not null constraint authorization_code_challenge check (length(challenge) = 32),
  data_types smallint[] not null,
  created_at timestamptz not null default clock_timestamp(),
  device uuid);
comment on column authorization_code.device is 'what it was exchanged for; a second use ends that';
create index authorization_code_by_account on authorization_code (account);
create index authorization_code_by_age on authorization_code (created_at);

-- Collection that the person has paused (ING-14); without a consent nothing is collected either.
create table collection_pause (
  account uuid not null constraint collection_pause_account references account on delete cascade,
  kind text not null constraint collection_pause_kind check (kind in ('health', 'position')),
  paused_at timestamptz not null,
  until timestamptz,
  constraint collection_pause_key primary key (account, kind));
comment on column collection_pause.until is 'when it ends by itself';
create index collection_pause_due on collection_pause (until) where until is not null;

-- Which source counts for a data type when several have samples of the same time (ACC-14).
create table source_preference (
  account uuid not null constraint source_preference_account references account on delete cascade,
  data_type smallint not null,
  sources text[] not null constraint source_preference_sources check (cardinality(sources) > 0),
  constraint source_preference_key primary key (account, data_type));
comment on column source_preference.sources is 'ids of devices, and the words imports and manual; the best first';

create table pairing (
  id uuid constraint pairing_key primary key,
  code_index bytea not null constraint pairing_code_key unique,
  owner uuid constraint pairing_owner references account on delete cascade,
  claim_hash bytea not null,
  name bytea not null,
  offered_types smallint[] not null constraint pairing_offered check (cardinality(offered_types) > 0),
  device uuid constraint pairing_device references device on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null);
create index pairing_by_owner on pairing (owner) where owner is not null;
create index pairing_by_age on pairing (expires_at);
create index pairing_by_device on pairing (device);
create index pairing_open on pairing (expires_at) where device is null;
create unique index pairing_asking on pairing (owner) where owner is not null and device is null;
comment on column pairing.owner is 'whose number the device was given; it waits for that one''s word';

-- Numbers that owners are shown, for devices that can be typed into.
create table owner_pairing (
  account uuid constraint owner_pairing_key primary key
    constraint owner_pairing_account references account on delete cascade,
  code_index bytea not null constraint owner_pairing_code_key unique,
  created_at timestamptz not null,
  expires_at timestamptz not null);
create index owner_pairing_by_age on owner_pairing (expires_at);

create table pairing_attempt (
  account uuid constraint pairing_attempt_key primary key
    constraint pairing_attempt_account references account on delete cascade,
  tries integer not null constraint pairing_attempt_tries check (tries > 0),
  since timestamptz not null);

create table client (
  id uuid constraint client_key primary key,
  account uuid not null constraint client_account references account on delete cascade,
  name bytea not null,
  scopes text[] not null constraint client_scopes check (cardinality(scopes) > 0),
  secret_hash bytea not null,
  created_at timestamptz not null,
  token_at timestamptz);
create index client_by_account on client (account);

-- People who were provisioned, as long as nobody else has a hand in their accounts.
create table provisioned (
  account uuid constraint provisioned_key primary key constraint provisioned_account references account on delete cascade,
  device uuid not null constraint provisioned_device references device on delete cascade,
  population_hash bytea not null);
comment on column provisioned.population_hash is 'of the secret that the call named: who knows it may ask again';
create index provisioned_by_device on provisioned (device);

-- Subject numbers of the anonymous store: dense, never reused, given from shuffled batches.

create table subject_counter (
  only_row boolean constraint subject_counter_key primary key default true
    constraint subject_counter_single check (only_row),
  last integer not null default 0);
insert into subject_counter default values;

create table subject_pool (
  number integer constraint subject_pool_key primary key,
  rank uuid not null);
create index subject_pool_by_rank on subject_pool (rank);

-- Profiles that wait for their day to be closed before they go to the anonymous store.
create table profile_change (
  subject integer constraint profile_change_key primary key,
  changed_at timestamptz not null);

-- Everything that is held about an account, put together for its owner (ACC-13).
create table export (
  id uuid constraint export_key primary key,
  account uuid not null constraint export_account references account on delete cascade,
  state text not null default 'waiting' constraint export_state check (state in ('waiting', 'making', 'ready', 'failed')),
  requested_at timestamptz not null,
  progress float8 not null default 0 constraint export_progress check (progress between 0 and 1),
  attempts integer not null default 0,
  due_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  bytes bigint,
  constraint export_ready check ((state = 'ready') = (expires_at is not null and bytes is not null)));
comment on column export.due_at is 'the next attempt; also the end of a replica''s claim';
create index export_by_account on export (account, requested_at);
create index export_due on export (due_at) where state in ('waiting', 'making');
create index export_by_expiry on export (expires_at);

create table export_piece (
  id uuid constraint export_piece_key primary key,
  export uuid not null constraint export_piece_export references export on delete cascade,
  number integer not null,
  content bytea not null,
  constraint export_piece_number unique (export, number));
-- Sealed bytes do not compress.
alter table export_piece alter column content set storage external;

-- Numbers of erased people that wait for others, to leave the anonymous store together.
create table subject_release (
  subject integer constraint subject_release_key primary key,
  version bigint not null,
  since date not null);

-- Those that were told to the anonymous store; each snapshot tells them again, so that no values stay that a consumer was not told of.
create table erased_subject (
  subject integer constraint erased_subject_key primary key,
  version bigint not null);

-- Erasures (ACC-12). What is left of an account: ids and times, for ever, so that what comes back with a backup is erased again.
create table erasure (
  id uuid constraint erasure_key primary key,
  account uuid not null,
  kind text not null constraint erasure_kind check (kind in ('individual', 'third-party', 'organiser')),
  scope text not null constraint erasure_scope check (scope in ('account', 'collected-data')),
  language text not null constraint erasure_language check (language in ('it', 'en')),
  requested_at timestamptz not null,
  announced_at timestamptz not null,
  completed_at timestamptz,
  receipt_hash bytea not null constraint erasure_receipt_key unique,
  contact bytea,
  awaited text[] not null);
comment on column erasure.contact is 'where the receipt goes, and its token; until it was sent';
comment on column erasure.awaited is 'the services that have to report';
create unique index erasure_of_account on erasure (account) where scope = 'account';
create index erasure_by_account on erasure (account, requested_at);
create index erasure_open on erasure (announced_at) where completed_at is null;
create index erasure_contacts on erasure (requested_at) where contact is not null;

create table erasure_report (
  erasure uuid not null constraint erasure_report_erasure references erasure,
  service text not null,
  items text not null,
  erased_at timestamptz,
  constraint erasure_report_key primary key (erasure, service));
comment on column erasure_report.erased_at is 'null of accounts while the key is still to be destroyed';
comment on column erasure_report.items is 'the lines of the receipt, in JSON: numbers of rows';
