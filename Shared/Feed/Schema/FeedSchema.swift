public import Postgres

/// The tables of feeds, for a service's own schema: `producer` where it publishes, `consumer` where it follows others.
/// A service takes them up among its numbered migrations.
public enum FeedSchema {
    /// What a service needs that publishes feeds, followed by `streams`.
    public static func producer(_ number: Int) -> Migration {
        Migration(number, "feed_producer", Array(producerText.utf8))
    }

    /// What a service needs that consumes feeds durably.
    public static func consumer(_ number: Int) -> Migration {
        Migration(number, "feed_consumer", Array(consumerText.utf8))
    }

    /// Segments in the ring.
    static let segmentCount = 4
    /// Lanes that belong to one connection at a time; one more, the last, is shared by those that got none.
    static let ownedLaneCount = 64
    static let sharedLane = Int32(ownedLaneCount)
    static let laneCount = ownedLaneCount + 1
    /// The SQLSTATE of `feed_move` when the cursor is not where the caller thinks.
    static let cursorMoved = SQLState(rawValue: "TMF01")

    /// Its segments and what reads them are as they were at first: `streams` replaces them.
    private static let producerText =
        """
        create table feed_state (
          only_row boolean constraint feed_state_key primary key default true constraint feed_state_single check (only_row),
          generation integer not null default 0,
          segment smallint not null default 0 constraint feed_state_segment check (segment between 0 and 3),
          segment_since timestamptz not null default now(),
          trims bigint not null default 0);
        comment on column feed_state.generation is
          'raised by an operator after restoring a backup that kept the timeline: all consumers then take a snapshot';
        comment on column feed_state.trims is 'counts the changes of feed_floor';
        insert into feed_state default values;

        create sequence feed_acquisition;
        comment on sequence feed_acquisition is 'each acquisition of a lane begins its positions with a new number';

        """ + (0..<segmentCount).map(segmentText).joined()
            + """
            create view feed_event as
            \((0..<segmentCount).map { "  select * from feed_event_\($0)" }.joined(separator: "\n  union all\n"));

            -- One plan for good, by index: planning anew each time would cost several times the reading.
            create function feed_read(feed_name text, lanes integer[], positions bigint[], events_max bigint)
            returns table (
              lane integer, "position" bigint, entity uuid, version bigint, kind text, payload bytea, recorded_at timestamptz)
            language plpgsql stable rows 10
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query select e.lane, e.position, e.entity, e.version, e.kind, e.payload, e.recorded_at
              from unnest(lanes, positions) as c (lane, position)
              cross join lateral (
                select * from feed_event e where e.feed = feed_name and e.lane = c.lane and e.position > c.position
                order by e.position limit events_max) e
              limit events_max;
            end $$;

            create function feed_end(feed_name text) returns table (lane integer, "position" bigint)
            language plpgsql stable rows 10
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query select l.lane, e.position from generate_series(0, 64) as l (lane)
              cross join lateral (
                select e.position from feed_event e where e.feed = feed_name and e.lane = l.lane
                order by e.position desc limit 1) e;
            end $$;

            create table feed_floor (
              feed text collate "C" not null, lane integer not null, position bigint not null,
              constraint feed_floor_key primary key (feed, lane));
            comment on table feed_floor is 'the last positions of what was trimmed';

            create table feed_consumer (
              feed text collate "C" not null, consumer text collate "C" not null, lane integer not null,
              position bigint not null, seen_at timestamptz not null,
              constraint feed_consumer_key primary key (feed, consumer, lane));
            comment on table feed_consumer is 'what durable consumers have committed';

            """

    private static func segmentText(_ number: Int) -> String {
        """
        create table feed_event_\(number) (
          feed text collate "C" not null,
          lane integer not null,
          position bigint not null,
          entity uuid not null,
          version bigint not null,
          kind text not null,
          payload bytea not null,
          recorded_at timestamptz not null default now(),
          constraint feed_event_\(number)_key primary key (feed, lane, position))
          with (autovacuum_enabled = false);

        """
    }

    /// The fence is part of the cursor's key, so that a move finds its row at once even while an old snapshot keeps
    /// thousands of the row's earlier versions alive.
    private static let consumerText = """
        create table feed_cursor (
          feed text collate "C" not null,
          fence bigint not null,
          epoch text not null,
          positions bigint[] not null,
          is_snapshot boolean not null,
          holder uuid not null,
          moved_at timestamptz not null default now(),
          constraint feed_cursor_key primary key (feed, fence));
        comment on column feed_cursor.positions is 'by lane, from 0; applied up to and including these';
        comment on column feed_cursor.is_snapshot is 'a snapshot is being taken, and starts again when its taker is gone';

        create function feed_move(
          feed_name text, expected bigint, new_epoch text, new_positions bigint[], new_is_snapshot boolean, new_holder uuid
        ) returns void language plpgsql as $$
        begin
          update feed_cursor
          set fence = expected + 1, epoch = new_epoch, positions = new_positions, is_snapshot = new_is_snapshot,
            holder = new_holder, moved_at = now()
          where feed = feed_name and fence = expected;
          if not found then
            raise exception 'the cursor of % was moved by another replica', feed_name using errcode = 'TMF01';
          end if;
        end $$;

        create table feed_parked (
          feed text collate "C" not null, epoch text not null, lane integer not null, position bigint not null,
          entity uuid not null, version bigint not null, kind text not null, payload bytea not null,
          recorded_at timestamptz not null, error text not null, parked_at timestamptz not null default now(),
          constraint feed_parked_key primary key (feed, epoch, lane, position));

        """
}
