-- What third parties pay for accepted requests, and for answers about groups (PAY-01, PAY-02). Empty where a deployment has no prices.

-- The price that a request was created with: what its acceptance costs, whatever prices are then.
create table quote (
  request_id uuid constraint quote_key primary key constraint quote_request references request on delete cascade,
  kind text not null constraint quote_kind check (kind in ('single-once', 'single-subscription')),
  amount_minor bigint not null constraint quote_amount check (amount_minor > 0),
  currency text not null constraint quote_currency check (currency ~ '^[A-Z]{3}$'));

-- Accounting records, which stay when the request is deleted: they name nobody but who pays.
create table invoice (
  requester_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  kind text not null constraint invoice_kind check (kind in ('single-once', 'single-subscription', 'group-once')),
  amount_minor bigint not null constraint invoice_amount check (amount_minor > 0),
  currency text not null constraint invoice_currency check (currency ~ '^[A-Z]{3}$'),
  state text not null default 'due' constraint invoice_state check (state in ('due', 'paid', 'cancelled')),
  version integer not null default 1,
  created_at timestamptz not null,
  due_until timestamptz not null,
  pay_url text,
  failed_at timestamptz,
  paid_at timestamptz,
  reference text,
  cancelled_at timestamptz,
  is_passed_over boolean not null default false,
  constraint invoice_key primary key (requester_id, id),
  constraint invoice_of_request unique (requester_id, request_id),
  constraint invoice_id unique (id),
  constraint invoice_patience check (created_at < due_until),
  constraint invoice_link check (pay_url is null or state = 'due'),
  constraint invoice_payment check ((state = 'paid') = (paid_at is not null) and (state = 'paid') = (reference is not null)),
  constraint invoice_cancelling check ((state = 'cancelled') = (cancelled_at is not null)));
comment on column invoice.request_id is 'no reference: a paid invoice is kept for longer than its request; of a group the group request';
comment on column invoice.version is 'counts the states';
comment on column invoice.pay_url is 'where the broker takes the payment, once it has said so';
comment on column invoice.failed_at is 'when a payment last failed, by the broker''s clock';
comment on column invoice.reference is 'what the broker calls the payment: another one for the same invoice was made twice';
comment on column invoice.is_passed_over is 'data of it was not given since it was not paid: cursors may have gone past it';
create index invoice_of_requester on invoice (requester_id, created_at, id);
create index invoice_unpaid on invoice (due_until) where state = 'due';
create index invoice_passed_over on invoice (id) where state = 'due' and is_passed_over;
create index invoice_paid on invoice (paid_at) where state = 'paid';
create index invoice_cancelled on invoice (cancelled_at) where state = 'cancelled';

-- An invoice is due, then paid or cancelled, once, and says for ever what for.
create function invoice_change() returns trigger language plpgsql as $$
begin
  if (new.requester_id, new.id, new.request_id, new.kind, new.amount_minor, new.currency, new.created_at, new.due_until)
    is distinct from
     (old.requester_id, old.id, old.request_id, old.kind, old.amount_minor, old.currency, old.created_at, old.due_until) then
    raise exception 'what an invoice is for never changes' using errcode = 'check_violation', constraint = 'invoice_fixed';
  end if;
  if old.state <> 'due' then
    raise exception 'an invoice that is % stays so', old.state
      using errcode = 'check_violation', constraint = 'invoice_transition';
  end if;
  if new.version <> old.version + (new.state <> old.state)::integer then
    raise exception 'the version counts the states' using errcode = 'check_violation', constraint = 'invoice_version';
  end if;
  return new;
end $$;
create trigger invoice_change before update on invoice for each row execute function invoice_change();

-- Invoices of which the broker has still to be told how they stand: one row each, whatever happened since.
create table broker_call (
  requester_id uuid not null,
  invoice_id uuid not null,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  constraint broker_call_key primary key (requester_id, invoice_id),
  constraint broker_call_invoice foreign key (requester_id, invoice_id) references invoice on delete cascade);
comment on column broker_call.due_at is 'by the clock of the database, which all replicas share';
create index broker_call_due on broker_call (due_at);
