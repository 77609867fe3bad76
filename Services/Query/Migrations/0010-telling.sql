-- What third parties are told beside data: that some of it is no longer available (SUB-04), and by mail what is new (SUB-02).

alter table watch
  add column collected bigint,
  add column collected_at timestamptz,
  add column settles_at timestamptz,
  add column settled bigint not null default -1,
  add column changed bigint not null default 0;
comment on column watch.collected is 'a mask of the data types of which something may still come, as ingestion has said';
comment on column watch.collected_at is 'when ingestion was asked, by the clock of the database; null: it is to be asked';
comment on column watch.settles_at is 'third parties are told then of what is collected; what has changed again before it takes another turn';
comment on column watch.settled is 'a mask of the data types that third parties are told are collected: what has lasted; all at first';
comment on column watch.changed is 'a mask of the data types that have changed again in this turn, so that it says nothing of them';
create index watch_unasked on watch (individual_id) where collected_at is null;
create index watch_settling on watch (settles_at) where settles_at is not null;

alter table reading
  add column unavailable bigint not null default 0,
  add column unavailable_at timestamptz,
  add column available_at timestamptz;
comment on column reading.unavailable is 'a mask of the data types that the third party was told are no longer available';
comment on column reading.unavailable_at is 'when it was told so last, by the clock of the database; available_at likewise of the opposite';

-- What third parties want to be told of by mail, and how far they were.
create table mailing (
  requester_id uuid constraint mailing_key primary key,
  frequency text not null constraint mailing_frequency check (frequency in ('off', 'daily', 'weekly', 'each')),
  kinds text[] not null constraint mailing_kinds check (cardinality(kinds) > 0),
  position bigint not null constraint mailing_position check (position >= 0),
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  constraint mailing_due check ((frequency = 'off') = (due_at is null)));
comment on column mailing.position is 'events up to this one were told of, or happened while nothing was mailed';
comment on column mailing.due_at is 'by the clock of the database';
comment on column mailing.lease_until is 'until then a process counts what is new';
comment on column mailing.fence is 'counts the processes that have done so, and the changes of what is wanted';
create index mailing_next on mailing (due_at) where due_at is not null;
