public import Postgres

extension FeedSchema {
    /// What a service needs beside `producer`, under a later number: the segments as they are today. Events that were
    /// stored in the form before stay.
    public static func streams(_ number: Int) -> Migration {
        Migration(number, "feed_streams", Array(streamsText.utf8))
    }

    /// The segments are written once and emptied by TRUNCATE, so there is nothing to vacuum; and without statistics the
    /// planner goes by their size and never takes a filled segment for an empty one. No CHECK: the server reads its
    /// expression anew for each statement, a tenth of the statement's cost. Few columns, since the server's work for a
    /// row of so little grows with their number.
    private static let streamsText =
        """
        create function feed_base(feed_name text) returns integer language plpgsql immutable strict as $$
        declare
          name bytea := convert_to(feed_name, 'UTF8');
          hash bigint := 2166136261;
        begin
          for i in 0 .. octet_length(name) - 1 loop
            hash := ((hash # get_byte(name, i)) * 16777619) & 4294967295;
          end loop;
          return ((hash >> 8) * 128)::integer;
        end $$;

        create table feed_stream (
          base integer not null constraint feed_stream_key primary key,
          feed text collate "C" not null constraint feed_stream_feed_key unique);
        comment on table feed_stream is 'the names of feeds: stream numbers are base + lane';

        create table feed_carried as
          select 0 as segment, e.* from feed_event_0 e union all select 1, e.* from feed_event_1 e
          union all select 2, e.* from feed_event_2 e union all select 3, e.* from feed_event_3 e;
        drop function feed_read(text, integer[], bigint[], bigint);
        drop function feed_end(text);
        drop view feed_event;
        drop table feed_event_0, feed_event_1, feed_event_2, feed_event_3;

        insert into feed_stream select distinct feed_base(feed), feed from feed_carried;

        """ + (0..<segmentCount).map(segmentText).joined()
            + """
            drop table feed_carried;

            create view feed_log as
            \((0..<segmentCount).map { "  select * from feed_event_\($0)" }.joined(separator: "\n  union all\n"));
            comment on view feed_log is 'what is stored; feed_event shows it to people';

            create view feed_event as
            select s.feed, l.stream % 128 as lane, l.position, encode(substr(l.event, 1, 16), 'hex')::uuid as entity,
              ('x' || encode(substr(l.event, 17, 8), 'hex'))::bit(64)::bigint as version,
              convert_from(substr(l.event, 26, get_byte(l.event, 24)), 'UTF8') as kind,
              substr(l.event, 26 + get_byte(l.event, 24)) as payload, l.recorded_at
            from feed_log l left join feed_stream s on s.base = l.stream - l.stream % 128;

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
              return query select l.stream, e.position from generate_series(base, base + 64) as l (stream)
              cross join lateral (
                select e.position from feed_log e where e.stream = l.stream order by e.position desc limit 1) e;
            end $$;

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
        insert into feed_event_\(number)
        select feed_base(feed) + lane, position, recorded_at,
          uuid_send(entity) || int8send(version) || set_byte('\\x00'::bytea, 0, octet_length(kind))
          || convert_to(kind, 'UTF8') || payload
        from feed_carried where segment = \(number);

        """
    }
}
