-- What was revoked of late (ACC-15, ACC-16): the snapshot of feed accounts.revocations.
create table revocation (
  id uuid constraint revocation_key primary key,
  kind text not null constraint revocation_kind check (kind in ('session', 'account')),
  revoked_at timestamptz not null);
comment on column revocation.id is 'of a session, device, client or account';
create index revocation_by_age on revocation (revoked_at);
