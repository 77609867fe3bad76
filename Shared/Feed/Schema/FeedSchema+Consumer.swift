extension FeedSchema {
    /// The fence is part of the cursor's key, so that a move finds its row at once even while an old snapshot keeps
    /// thousands of the row's earlier versions alive.
    static let consumerText = """
        create table feed_cursor (
          feed text collate "C" not null,
          part smallint not null,
          fence bigint not null,
          epoch text not null,
          positions bigint[] not null,
          is_snapshot boolean not null,
          holder uuid,
          moved_at timestamptz not null default now(),
          settled_until timestamptz,
          settled_at timestamptz,
          constraint feed_cursor_key primary key (feed, part, fence));
        comment on table feed_cursor is 'how far each part of a feed is applied; a feed that is not divided has part 0';
        comment on column feed_cursor.positions is 'by lane, from 0; applied up to and including these';
        comment on column feed_cursor.is_snapshot is 'a snapshot is being taken, and starts again when its taker is gone';
        comment on column feed_cursor.holder is
          'the replica that moved it last; of a divided feed the one whose part it is, and null when it is nobody''s';
        comment on column feed_cursor.settled_until is
          'by the producer''s clock: everything recorded before is applied; null during a snapshot';
        comment on column feed_cursor.settled_at is
          'by this database''s clock: everything that the producer had committed then is applied';

        create table feed_replica (
          feed text collate "C" not null,
          replica uuid not null,
          alive_until timestamptz not null,
          constraint feed_replica_key primary key (feed, replica));
        comment on table feed_replica is 'replicas that share the parts of a feed; those of one whose time is over are free';

        create function feed_move(
          feed_name text, moved smallint[], fences bigint[], new_epoch text, new_positions bigint[],
          new_is_snapshot boolean, new_holder uuid, new_settled_until timestamptz, settled_seconds_ago double precision
        ) returns void language plpgsql as $$
        begin
          for i in 1..cardinality(moved) loop
            update feed_cursor
            set fence = fences[i] + 1, epoch = new_epoch, positions = new_positions, is_snapshot = new_is_snapshot,
              holder = new_holder, moved_at = now(),
              settled_until = case when new_is_snapshot then null else coalesce(new_settled_until, settled_until) end,
              settled_at = case when new_is_snapshot then null
                else coalesce(clock_timestamp() - make_interval(secs => settled_seconds_ago), settled_at) end
            where feed = feed_name and part = moved[i] and fence = fences[i];
            if not found then
              raise exception 'the cursor of % was moved by another replica', feed_name using errcode = 'TMF01';
            end if;
          end loop;
        end $$;

        create function feed_hold(feed_name text, held smallint[], fences bigint[]) returns void language plpgsql as $$
        begin
          if cardinality(held) <> (select count(*) from feed_cursor c join unnest(held, fences) h (part, fence)
              on c.part = h.part and c.fence = h.fence where c.feed = feed_name) then
            raise exception 'the cursor of % was moved by another replica', feed_name using errcode = 'TMF01';
          end if;
        end $$;

        create table feed_parked (
          feed text collate "C" not null, epoch text not null, lane integer not null, position bigint not null,
          entity uuid not null, version bigint not null, kind text not null, payload bytea not null,
          recorded_at timestamptz not null, age_ms bigint not null, error text not null,
          parked_at timestamptz not null default now(), attempts integer not null default 0, next_at timestamptz not null,
          constraint feed_parked_key primary key (feed, epoch, lane, position));
        comment on column feed_parked.attempts is 'made since it was parked; the next one is due at next_at';

        """
}
