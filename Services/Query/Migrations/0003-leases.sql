-- A permission to write to a third party holds for a second from here: a withdrawal is answered after it (REQ-10).
alter table access add column permitted_at timestamptz not null default now();
comment on column access.permitted_at is 'by the clock of the database';
