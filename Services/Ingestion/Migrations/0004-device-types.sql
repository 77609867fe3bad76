alter table device add column types bigint;
comment on column device.types is
  'a bit per data type that the person lets the device provide; null until accounts has told it: all';

-- How an upload was judged, so that its repeat is answered in the same way.
alter table arrival
  add column paused text[] not null default '{}',
  add column withheld bigint not null default 0,
  add column is_by_device_clock boolean not null default false;
comment on column arrival.withheld is 'a bit per data type that was dropped, since the device was not to provide it';
comment on column arrival.is_by_device_clock is 'its times were judged by sent_at as well (SOS-05)';

-- A person's samples in the order of time, so that repeats meet each other.
create index arrival_time on arrival (account_id, earliest, arrival);

-- What devices provide comes with the next snapshot, which is taken now.
update feed_cursor set fence = fence + 1, epoch = '' where feed = 'accounts.changes';
