-- A service's audit trail (NFR-06): who read whose personal data, or did something about whom, and why. Each entry is tied to all
-- before it by its hash (AuditChain). The tables belong to nobody who logs in: a service reads them and adds to audit_waiting, and
-- does the rest through the functions here, which change no entry and delete none that is younger than a year. May be run again at
-- any time; audit.sql says for which schema, the tests' AuditTables run it, too.

create table if not exists audit_head (
  only_row boolean constraint audit_head_key primary key default true constraint audit_head_single check (only_row),
  sequence bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex') constraint audit_head_hash check (length(hash) = 32),
  first_sequence bigint not null default 0,
  first_hash bytea not null default decode(repeat('00', 32), 'hex')
    constraint audit_head_first_hash check (length(first_hash) = 32));
comment on column audit_head.first_sequence is 'of the last entry that was deleted; the trail is checked from there';
insert into audit_head default values on conflict do nothing;

-- Entries that are not tied to the others yet.
create table if not exists audit_waiting (
  number bigint generated always as identity constraint audit_waiting_key primary key,
  recorded_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  actor text not null,
  action text not null,
  pseudonym uuid,
  on_behalf_of uuid,
  purpose text not null);
comment on column audit_waiting.recorded_at is 'whole milliseconds, of this server; no service writes it';

create table if not exists audit_entry (
  sequence bigint constraint audit_entry_key primary key,
  recorded_at timestamptz not null,
  actor text not null,
  action text not null,
  pseudonym uuid,
  on_behalf_of uuid,
  purpose text not null,
  hash bytea not null constraint audit_entry_hash check (length(hash) = 32));
comment on column audit_entry.on_behalf_of is 'the account that asked, by its pseudonym';
-- Operators' acts, which are few among the look-ups of services (AuditTrail.Selection says the same, word for word). Making it anew
-- keeps ties waiting, and nobody who writes an entry.
create index if not exists audit_entry_operators on audit_entry (sequence)
  where actor like 'operator %' or actor in ('operator', 'command');

-- Ties the next entries that wait, from a number on; the number to go on from, null when there are no more. Does not wait for the
-- disk, so that nobody who writes an entry waits for it either: what a crash takes of the ties waits again, and is tied anew.
create or replace function audit_tie(first_number bigint, count_max integer) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  head audit_head;
  entry audit_waiting;
  milliseconds text;
  numbers bigint[] := '{}';
begin
  perform set_config('synchronous_commit', 'off', true);
  -- One caller at a time: each hash takes the one before it in.
  select * into strict head from audit_head for update;
  for entry in
    select * from audit_waiting where number >= first_number order by number limit least(count_max, 1000)
  loop
    head.sequence := head.sequence + 1;
    milliseconds := (extract(epoch from entry.recorded_at) * 1000)::bigint::text;
    -- As AuditChain of Shared/Security says it, and checks it: the fields by name, each with its length; what is absent is one 0.
    head.hash := sha256(head.hash || int8send(head.sequence) || int8send(6)
      || int8send(4) || 'time'::bytea || '\x01'::bytea || int8send(octet_length(milliseconds)) || convert_to(milliseconds, 'UTF8')
      || int8send(5) || 'actor'::bytea || '\x01'::bytea || int8send(octet_length(entry.actor)) || convert_to(entry.actor, 'UTF8')
      || int8send(6) || 'action'::bytea || '\x01'::bytea || int8send(octet_length(entry.action)) || convert_to(entry.action, 'UTF8')
      || int8send(9) || 'pseudonym'::bytea || coalesce('\x01'::bytea || int8send(36) || convert_to(entry.pseudonym::text, 'UTF8'), '\x00')
      || int8send(7) || 'purpose'::bytea || '\x01'::bytea || int8send(octet_length(entry.purpose)) || convert_to(entry.purpose, 'UTF8')
      || int8send(12) || 'on_behalf_of'::bytea || coalesce('\x01'::bytea || int8send(36) || convert_to(entry.on_behalf_of::text, 'UTF8'), '\x00'));
    insert into audit_entry (sequence, recorded_at, actor, action, pseudonym, on_behalf_of, purpose, hash)
    values (head.sequence, entry.recorded_at, entry.actor, entry.action, entry.pseudonym, entry.on_behalf_of,
      entry.purpose, head.hash);
    numbers := numbers || entry.number;
  end loop;
  if cardinality(numbers) = 0 then return null; end if;
  delete from audit_waiting where number = any (numbers);
  update audit_head set sequence = head.sequence, hash = head.hash;
  return case when cardinality(numbers) = least(count_max, 1000) then numbers[cardinality(numbers)] + 1 end;
end
$$;

-- Waits until all that was tied is on disk: before a head is published, since after a crash the same entries might be tied in another
-- order.
create or replace function audit_settle() returns void
language sql security definer set search_path from current as $$
  update audit_head set sequence = sequence
$$;

-- Deletes the oldest entries, of before a time and 1000 at most, and remembers the last of them; how many there were.
create or replace function audit_delete(before timestamptz) returns integer
language plpgsql security definer set search_path from current as $$
declare
  head audit_head;
  entry record;
  entries integer := 0;
begin
  if before is null or before > now() - interval '1 year' then
    raise exception 'entries of the audit trail are kept for a year at least' using errcode = 'insufficient_privilege';
  end if;
  select * into strict head from audit_head for update;
  for entry in
    select e.sequence, e.hash, e.recorded_at from audit_entry e
    where e.sequence > head.first_sequence order by e.sequence limit 1000
  loop
    exit when entry.recorded_at >= before;
    head.first_sequence := entry.sequence;
    head.first_hash := entry.hash;
    entries := entries + 1;
  end loop;
  if entries > 0 then
    update audit_head set first_sequence = head.first_sequence, first_hash = head.first_hash;
    delete from audit_entry e where e.sequence <= head.first_sequence;
  end if;
  return entries;
end
$$;

revoke all on function audit_tie(bigint, integer), audit_settle(), audit_delete(timestamptz) from public;
