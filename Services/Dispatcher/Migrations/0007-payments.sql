-- What AutomatedSOS costs, where it costs something (PAY-01). Empty elsewhere. Apart from the tables of monitors and incidents, none of
-- which refers to these: no alarm waits for them.

create table subscription (
  account uuid constraint subscription_key primary key
    constraint subscription_enrolment references enrolment on delete cascade,
  amount_minor bigint not null constraint subscription_amount check (amount_minor > 0),
  currency text not null constraint subscription_currency check (currency ~ '^[A-Z]{3}$'),
  accepted_at timestamptz not null,
  next_at timestamptz);
comment on table subscription is 'who has accepted a price; who was enrolled while there was none has no row, and pays nothing';
comment on column subscription.amount_minor is 'of 30 days, in hundredths; what was accepted holds, whatever prices are now';
comment on column subscription.next_at is 'when the next invoice is made; null while one is due';
create index subscription_next on subscription (next_at) where next_at is not null;

-- Accounting records: they stay when the account is erased.
create table invoice (
  account uuid not null,
  id uuid not null,
  amount_minor bigint not null constraint invoice_amount check (amount_minor > 0),
  currency text not null constraint invoice_currency check (currency ~ '^[A-Z]{3}$'),
  state text not null default 'due' constraint invoice_state check (state in ('due', 'paid', 'cancelled')),
  created_at timestamptz not null,
  covers_until timestamptz not null,
  due_until timestamptz not null,
  pay_url text,
  failed_at timestamptz,
  paid_at timestamptz,
  reference text,
  cancelled_at timestamptz,
  warned_at timestamptz,
  pause_from timestamptz,
  reminded_at timestamptz,
  is_pausing boolean not null default false,
  call_due_at timestamptz,
  call_attempts integer not null default 0,
  constraint invoice_key primary key (account, id),
  constraint invoice_id unique (id),
  constraint invoice_patience check (created_at < due_until and created_at < covers_until),
  constraint invoice_link check (pay_url is null or state = 'due'),
  constraint invoice_payment check ((state = 'paid') = (paid_at is not null) and (state = 'paid') = (reference is not null)),
  constraint invoice_cancelling check ((state = 'cancelled') = (cancelled_at is not null)),
  constraint invoice_warning check ((warned_at is null) = (pause_from is null) and (reminded_at is null or warned_at is not null)),
  constraint invoice_pausing check (not is_pausing or reminded_at is not null));
comment on column invoice.covers_until is 'the days that are paid with it end then';
comment on column invoice.pay_url is 'where the broker takes the payment, once it has said so: before, nobody can pay, and nothing follows';
comment on column invoice.failed_at is 'when a payment last failed, by the broker''s clock';
comment on column invoice.reference is 'what the broker calls the payment: another one for the same invoice was made twice';
comment on column invoice.warned_at is 'when accounts had taken the warning, by mail and inbox';
comment on column invoice.pause_from is 'the time that the warning names: watching is paused then, and not before';
comment on column invoice.reminded_at is 'when accounts had taken the second warning';
comment on column invoice.is_pausing is 'watching is paused since this is not paid, until it is';
comment on column invoice.call_due_at is 'when the broker is to be told (again) how it stands; null: it has been';
create unique index invoice_due_key on invoice (account) where state = 'due';
create index invoice_unpaid on invoice (due_until) where state = 'due';
create index invoice_pausing on invoice (account) where is_pausing;
create index invoice_call on invoice (call_due_at) where call_due_at is not null;
create index invoice_paid on invoice (paid_at) where state = 'paid';
create index invoice_cancelled on invoice (cancelled_at) where state = 'cancelled';
