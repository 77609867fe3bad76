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

-- Until now a day counted as complete when nothing had come for a moment; what was decided on stands.
insert into rollup_day (day, is_complete) select distinct day, true from loaded_day where series > 0;

comment on column cell_block.series is
  '0: profiles (day is 1970-01-01); -1: those of a snapshot that is being taken; otherwise the number of a data type';
