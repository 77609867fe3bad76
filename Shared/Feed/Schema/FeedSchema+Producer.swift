extension FeedSchema {
    /// The segments are written once and emptied by TRUNCATE, so there is nothing to vacuum; and without statistics the
    /// planner goes by their size and never takes a filled segment for an empty one. No CHECK: the server reads its
    /// expression anew for each statement, a tenth of the statement's cost. Few columns, since the server's work for a
    /// row of so little grows with their number.
    static let producerText =
        """
        create table feed_state (
          only_row boolean constraint feed_state_key primary key default true constraint feed_state_single check (only_row),
          generation integer not null default 0,
          segment smallint not null default 0 constraint feed_state_segment
            check (segment between 0 and \(segmentCount - 1)),
          segment_since timestamptz not null default now(),
          trims bigint not null default 0);
        comment on column feed_state.generation is
          'raised by an operator after restoring a backup that kept the timeline: all consumers then take a snapshot';
        comment on column feed_state.trims is 'counts the changes of feed_floor';
        insert into feed_state default values;

        create sequence feed_acquisition;
        comment on sequence feed_acquisition is 'each acquisition of a lane begins its positions with a new number';

        create function feed_base(feed_name text) returns integer language plpgsql immutable strict as $$
        declare
          name bytea := convert_to(feed_name, 'UTF8');
          hash bigint := 2166136261;
        begin
          for i in 0 .. octet_length(name) - 1 loop
            hash := ((hash # get_byte(name, i)) * 16777619) & 4294967295;
          end loop;
          return ((hash >> 8) * \(FeedStream.laneSpace))::integer;
        end $$;

        create table feed_stream (
          base integer not null constraint feed_stream_key primary key,
          feed text collate "C" not null constraint feed_stream_feed_key unique);
        comment on table feed_stream is 'the names of feeds: stream numbers are base + lane';

        """ + (0..<segmentCount).map(segmentText).joined()
            + """
            create view feed_log as
            \((0..<segmentCount).map { "  select * from feed_event_\($0)" }.joined(separator: "\n  union all\n"));
            comment on view feed_log is 'what is stored; feed_event shows it to people';

            create view feed_event as
            select s.feed, l.stream % \(FeedStream.laneSpace) as lane, l.position,
              encode(substr(l.event, 1, 16), 'hex')::uuid as entity,
              ('x' || encode(substr(l.event, 17, 8), 'hex'))::bit(64)::bigint as version,
              convert_from(substr(l.event, 26, get_byte(l.event, 24)), 'UTF8') as kind,
              substr(l.event, 26 + get_byte(l.event, 24)) as payload, l.recorded_at
            from feed_log l left join feed_stream s on s.base = l.stream - l.stream % \(FeedStream.laneSpace);

            -- One plan for good, by index: planning anew each time would cost several times the reading.
            create function feed_read(streams integer[], positions bigint[], events_max bigint)
            returns table (stream integer, "position" bigint, recorded_at timestamptz, event bytea)
            language plpgsql stable rows 10
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query select e.stream, e.position, e.recorded_at, e.event
              from unnest(streams, positions) as c (stream, position)
              cross join lateral (
                select * from feed_log e where e.stream = c.stream and e.position > c.position
                order by e.position limit events_max) e
              limit events_max;
            end $$;

            create function feed_end(base integer) returns table (stream integer, "position" bigint)
            language plpgsql stable rows 10
            set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
            #variable_conflict use_column
            begin
              return query select l.stream, e.position from generate_series(base, base + \(sharedLane)) as l (stream)
              cross join lateral (
                select e.position from feed_log e where e.stream = l.stream order by e.position desc limit 1) e;
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
          stream integer not null,
          position bigint not null,
          recorded_at timestamptz not null default now(),
          event bytea not null,
          constraint feed_event_\(number)_key primary key (stream, position))
          with (autovacuum_enabled = false);

        """
    }
}
