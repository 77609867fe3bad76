-- The anonymous store. A person is a subject number; nothing here leads from it to an account.

-- Columns: for a series and day, the cells of 4096 subjects in the order of their numbers.
create table cell_block (
  series smallint not null,
  day date not null,
  block integer not null constraint cell_block_number check (block >= 0),
  cells bytea not null,
  constraint cell_block_key primary key (series, day, block));
alter table cell_block alter column cells set storage external;
comment on column cell_block.series is
  '0: profiles (day is 1970-01-01); -1: those of a snapshot that is being taken; otherwise the number of a data type';

-- Cells as they arrived and not yet part of a block.
create table arrival (
  id bigint generated always as identity constraint arrival_key primary key,
  series smallint not null,
  day date not null,
  subjects integer[] not null,
  cells bytea not null);
create index arrival_of_column on arrival (series, day, id);

-- When a day was last added to.
create table loaded_day (
  series smallint not null,
  day date not null,
  last_at timestamptz not null,
  constraint loaded_day_key primary key (series, day));

-- Which days have arrived as a whole: only those are decided on.
create table rollup_day (
  day date constraint rollup_day_key primary key,
  is_complete boolean not null,
  noted_at timestamptz);
comment on column rollup_day.noted_at is 'when a batch came last; null: known only from a snapshot''s list';
create index rollup_day_lacking on rollup_day (day) where not is_complete;

-- Publications of days of which something is still to come.
create table rollup_publication (
  id uuid constraint rollup_publication_key primary key,
  day date not null,
  received integer not null,
  batches integer);
comment on column rollup_publication.batches is 'how many there are; null until the last event tells';

-- The subjects that were erased, for good: what comes late for one of them is dropped (ErasedSubjects).
create table erased_block (
  block integer constraint erased_block_key primary key constraint erased_block_number check (block >= 0),
  bits bytea not null constraint erased_block_bits check (length(bits) = 512));
comment on column erased_block.bits is 'one for each of the 4096 subjects of the block, the first in the lowest bit of the first byte; 1: erased';

-- Erased subjects whose values are in the blocks (ValueRemoval): they wait, or a walk is under way that removes them, …
create table value_removal (
  subject integer constraint value_removal_key primary key,
  is_walking boolean not null default false);
-- … and the column after which it goes on; no row: no walk.
create table value_removal_walk (
  only_row boolean constraint value_removal_walk_key primary key default true
    constraint value_removal_walk_single check (only_row),
  series smallint not null,
  day date not null);

-- The cells of a block without those at some places, where `absent` is put.
create function without_cells(cells bytea, places integer[], absent bytea) returns bytea language plpgsql immutable as $$
declare
  place integer;
begin
  foreach place in array places loop
    cells := overlay(cells placing absent from place * length(absent) + 1);
  end loop;
  return cells;
end $$;

-- What was released, or refused, once and for all: one row per canonical question.
create table release (
  id bigint generated always as identity constraint release_key primary key,
  question text collate "C" not null constraint release_question unique,
  month date not null,
  price bigint not null constraint release_price check (price > 0),
  state text not null default 'pending' constraint release_state check (state in ('pending', 'given', 'withheld')),
  count_noisy bigint,
  count_variance bigint,
  sum_noisy bigint,
  sum_variance bigint,
  constraint release_numbers check (
    (state = 'given') = (count_noisy is not null and count_variance is not null
      and sum_noisy is not null and sum_variance is not null)));
comment on column release.question is 'with the definitions that it was asked under, so that other ones are another question';
comment on column release.price is 'billionths of rho (zero-concentrated differential privacy)';
comment on column release.sum_noisy is 'of contributions, in steps above the centre of the group bounds';

-- A verdict or value is never given in two versions.
create function release_change() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.question <> old.question or new.price <> old.price or new.month <> old.month then
    raise exception 'a release stands' using errcode = 'check_violation', constraint = 'release_once';
  end if;
  return new;
end $$;
create trigger release_change before update on release for each row execute function release_change();

-- The ledger, in billionths of rho: what all releases about a month of data cost, …
create table spent (
  month date constraint spent_key primary key,
  amount bigint not null constraint spent_amount check (amount >= 0));
-- … what one third party paid for, …
create table spent_by (
  payer_id uuid not null,
  month date not null,
  amount bigint not null constraint spent_by_amount check (amount >= 0),
  constraint spent_by_key primary key (payer_id, month));
-- … and for which releases.
create table payment (
  payer_id uuid not null,
  release_id bigint not null constraint payment_release references release,
  constraint payment_key primary key (payer_id, release_id));
