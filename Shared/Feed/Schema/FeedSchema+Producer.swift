extension FeedSchema {
    static let commonText = """
        create table feed_state (
          only_row boolean constraint feed_state_key primary key default true constraint feed_state_single check (only_row),
          generation integer not null default 0);
        comment on column feed_state.generation is
          'raised by an operator after restoring a backup that kept the timeline: all consumers then take a snapshot';
        insert into feed_state default values;

        create sequence feed_acquisition;
        comment on sequence feed_acquisition is 'each acquisition of a lane begins its positions with a new number';

        create table feed_ring (
          feed text collate "C" not null constraint feed_ring_key primary key,
          segment smallint not null default 0 constraint feed_ring_segment
            check (segment between 0 and \(segmentCount - 1)),
          segment_since timestamptz not null default now(),
          trims bigint not null default 0);
        comment on column feed_ring.segment is 'the one that is written to';
        comment on column feed_ring.trims is 'counts the changes of feed_floor';

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

    /// The segments are written once and emptied by TRUNCATE, so there is nothing to vacuum; and without statistics the
    /// planner goes by their size and never takes a filled segment for an empty one. No CHECK: the server reads its
    /// expression anew for each statement, a tenth of the statement's cost. Few columns, since the server's work for a
    /// row of so little grows with their number.
    static func feedText(_ feed: FeedTables) -> String {
        """
        insert into feed_ring (feed) values ('\(feed.feed)');

        """ + feed.segments.map { segmentText($0) }.joined()
            + """
            create view \(feed.log) as
            \(feed.segments.map { "  select * from \($0)" }.joined(separator: "\n  union all\n"));
            comment on view \(feed.log) is 'what is stored; feed_event shows it to people';

            -- One plan for good, by index: planning anew each time would cost several times the reading.
            -- Of what is not for the reader only the place is told.
            create function \(feed.read)(
              lanes integer[], positions bigint[], reader smallint, part_count integer, parts integer[], rows_max bigint)
            returns table (lane integer, "position" bigint, recorded_at timestamptz, event bytea)
            language plpgsql stable rows 10
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query select e.lane, e.position, e.recorded_at,
                case when e.addressee in (0, reader) and e.slot % part_count = any(parts) then e.event end
              from unnest(lanes, positions) as c (lane, position)
              cross join lateral (
                select * from \(feed.log) e where e.lane = c.lane and e.position > c.position
                order by e.position limit rows_max) e
              limit rows_max;
            end $$;

            create function \(feed.end)() returns table (lane integer, "position" bigint)
            language plpgsql stable rows 10
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query select l.lane, e.position from generate_series(0, \(sharedLane)) as l (lane)
              cross join lateral (
                select e.position from \(feed.log) e where e.lane = l.lane order by e.position desc limit 1) e;
            end $$;

            -- Positions have gaps, and are of all feeds: only counting tells how many events a consumer lacks.
            create function \(feed.lag)(consumer text, reader smallint, events_max bigint) returns table (events bigint, oldest timestamptz)
            language plpgsql stable rows 1
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query with lanes as materialized (
                select l.lane, coalesce(c.position, 0) as passed from generate_series(0, \(sharedLane)) as l (lane)
                left join feed_consumer c on c.feed = '\(feed.feed)' and c.consumer = $1 and c.lane = l.lane)
              select (
                  select count(*) filter (where e.addressee in (0, reader)) from (
                    select e.addressee from lanes l cross join lateral (
                      select e.addressee from \(feed.log) e where e.lane = l.lane and e.position > l.passed
                      order by e.position limit events_max) e
                    limit events_max) e),
                (select min(e.recorded_at) from lanes l cross join lateral (
                  select e.recorded_at from \(feed.log) e where e.lane = l.lane and e.position > l.passed
                  order by e.position limit 1) e);
            end $$;

            """
    }

    private static func segmentText(_ name: String) -> String {
        """
        create table \(name) (
          lane integer not null,
          addressee smallint not null default 0,
          slot smallint not null default 0,
          position bigint not null,
          recorded_at timestamptz not null default now(),
          event bytea not null,
          constraint \(name)_key primary key (lane, position))
          with (autovacuum_enabled = false);
        -- The largest events, values of closed days, are sealed: trying to compress them took a third of PostgreSQL's time.
        alter table \(name) alter column event set storage external;
        comment on column \(name).addressee is 'number of the only service that gets it; 0: all';
        comment on column \(name).slot is 'of the entity: consumers divide the feed by it';

        """
    }

    static func peopleText(_ feeds: [FeedTables]) -> String {
        let logs = feeds.map { "select '\($0.feed)' as feed, l.* from \($0.log) l" }
        return """
            create view feed_event as
            select feed, lane, position, encode(substr(event, 1, 16), 'hex')::uuid as entity,
              ('x' || encode(substr(event, 17, 8), 'hex'))::bit(64)::bigint as version,
              convert_from(substr(event, 26, get_byte(event, 24)), 'UTF8') as kind,
              substr(event, 26 + get_byte(event, 24)) as payload, recorded_at
            from (\(logs.joined(separator: "\n  union all "))) e;
            comment on view feed_event is 'for people: the events of all feeds';

            """
    }
}
