-- Those who run the deployment, with a log-in for the operators' listener (NFR-10). Who is invited has no password yet.
create table operator (
  id uuid constraint operator_key primary key,
  name text not null constraint operator_name_key unique,
  invitation_hash bytea constraint operator_invitation_key unique,
  invitation_until timestamptz,
  password_hash text,
  secret bytea,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  constraint operator_factor check (password_hash is null or secret is not null),
  constraint operator_invitation check ((invitation_hash is null) = (invitation_until is null)));
comment on column operator.secret is 'of the authenticator app; its codes are asked for at each log-in';

create table operator_session (
  token_hash bytea constraint operator_session_key primary key,
  operator uuid not null constraint operator_session_operator references operator on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz not null);
create index operator_session_of on operator_session (operator);
