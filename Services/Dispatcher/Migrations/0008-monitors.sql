-- Monitors are judged in memory and saved every few seconds (Monitoring/Live/README.md).

alter table monitor add column revision bigint not null default 1;
comment on column monitor.revision is
  'counts the changes: whoever has a later state in memory writes it only over the one that it came from';
comment on column monitor.state is
  'recent samples and positions, in the compact form; sealed with the person''s key; at most a few seconds behind the feed''s cursor''s reader, never behind the cursor';

create table watch_change (
  account uuid not null,
  changed_at timestamptz not null default clock_timestamp());
comment on table watch_change is
  'people whose enrolment, limits or runs have changed: every replica looks each second, and reads them anew; forgotten within an hour';
create index watch_change_at on watch_change (changed_at);
