-- Notifications (ACC-17).

create table message (
  id uuid constraint message_key primary key,
  account uuid not null constraint message_account references account on delete cascade,
  template text not null,
  content bytea not null,
  created_at timestamptz not null,
  read_at timestamptz);
create index message_by_account on message (account, created_at desc, id desc);
create index message_by_age on message using brin (created_at);

-- Messages that came of late, for inboxes that are open; by the database's clock.
create table message_arrival (
  recorded_at timestamptz not null default clock_timestamp(),
  message uuid not null constraint message_arrival_message references message on delete cascade,
  account uuid not null);
create index message_arrival_by_age on message_arrival (recorded_at);
create index message_arrival_by_message on message_arrival (message);

-- Which messages an account wants in which way; what is not named comes in both.
create table notification_choice (
  account uuid not null constraint notification_choice_account references account on delete cascade,
  kind text not null constraint notification_choice_kind check (kind in ('requests', 'runs', 'health', 'devices', 'account', 'emergencies')),
  inbox boolean not null,
  mail boolean not null,
  constraint notification_choice_key primary key (account, kind));

create table mail (
  id uuid constraint mail_key primary key,
  account uuid constraint mail_account references account on delete cascade,
  template text not null,
  content bytea,
  address bytea,
  ownerless bytea,
  language text constraint mail_language check (language in ('it', 'en')),
  is_urgent boolean not null,
  created_at timestamptz not null,
  attempts integer not null default 0,
  due_at timestamptz not null default '-infinity',
  is_claimed boolean not null default false,
  sent_at timestamptz,
  constraint mail_with_account check ((account is null) = (content is null)),
  constraint mail_without_account check (
    (account is null) = (ownerless is not null) and (account is not null or address is null and language is not null)));
comment on column mail.account is 'null when it is erased';
comment on column mail.address is 'where it goes, if not to the account''s own: to a parent';
comment on column mail.ownerless is 'content and address of a mail to who has left, whose key is destroyed';
comment on column mail.due_at is 'also the end of a claim by a replica that delivers it';
comment on column mail.is_claimed is 'due_at is the end of a claim';
comment on column mail.sent_at is 'or refused for good';
comment on table mail is 'the outbox; a sent mail stays a while without content, so that its id is not used again';
create index mail_due on mail (is_urgent, due_at, created_at) where sent_at is null;
create index mail_waiting on mail (created_at) where sent_at is null;
create index mail_by_account on mail (account, template, created_at);
create index mail_sent on mail (sent_at) where sent_at is not null;

-- Web push: browsers that are told of what is urgent to see (ACC-17).

create table push_subscription (
  id uuid constraint push_subscription_key primary key,
  account uuid not null constraint push_subscription_account references account on delete cascade,
  session uuid not null constraint push_subscription_session_key unique
    constraint push_subscription_session references session on delete cascade,
  endpoint_index bytea not null constraint push_subscription_endpoint_key unique,
  content bytea not null,
  created_at timestamptz not null);
comment on column push_subscription.session is 'of the browser: log-out there ends the subscription';
create index push_subscription_by_account on push_subscription (account);

create table push (
  subscription uuid not null constraint push_of_subscription references push_subscription on delete cascade,
  kind text not null constraint push_kind check (kind in ('request', 'check-in', 'alarm')),
  message uuid not null,
  expires_at timestamptz not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  constraint push_key primary key (subscription, kind));
comment on table push is 'the outbox; one of each kind stands for all that came since';
comment on column push.message is 'the newest that it is about';
create index push_due on push (kind, due_at);
