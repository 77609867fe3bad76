import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import SeededRandom
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

extension World {
    /// Who packs events, as another process of the service.
    var packer: EventPacker {
        EventPacker(database: service.database, keys: keys, clock: clock, unreadable: service.context.unreadable)
    }

    /// Events with data of a request, as they are written, without a reading: of `each` heart rates, one a second. The
    /// first was made at `start`, and then one at each `interval`.
    func store(
        _ count: Int, of request: UUID, about person: UUID? = nil, each samples: Int = 2, at start: Timestamp = start,
        every interval: Duration = .seconds(60), hasLeft: Bool = true
    ) async throws {
        let key = try #require(try await keys.key(of: person ?? self.person))
        var (random, rate) = (SeededGenerator(seed: UInt64(count)), 70.0)
        let contents = try (0..<count).map { index in
            let time = start + interval * index
            let values = (0..<samples).map { _ in
                // As a heart goes: one more or less every second time.
                rate = min(150, max(50, rate + Double([-1, 0, 0, 1].randomElement(using: &random) ?? 0)))
                return rate
            }
            return try #require(try Event.Content([World.heartRates(values, at: time - .seconds(60))]))
        }
        let times = (0..<count).map { start + interval * $0 }
        let ids = times.map { UUID.timeOrdered(at: $0) }
        let sealed = zip(ids, contents).map { key.seal($1.series.bytes, at: EventLog.location($0)) }
        let stored = try await service.database.execute(
            """
            with counted as (
              update recipient set last_number = last_number + \(count)
              where requester_id = (select requester_id from request where id = \(request))
              returning requester_id, last_number - \(count) as before)
            insert into event (requester_id, number, id, request_id, kind, types, counts, measured_from, measured_to, content,
              has_left, created_at)
            select requester_id, before + place, id, \(request), 'data.samples', \([DataType.heartRate].numbers),
              array[\(Int32(samples))], measured_from, measured_to, content, \(hasLeft), time
            from counted, unnest(\(ids), \(times), \(contents.map(\.measured.lowerBound)),
              \(contents.map(\.measured.upperBound)), \(sealed)) with ordinality
              o (id, time, measured_from, measured_to, content, place)
            """)
        try #require(stored == count)
    }

    /// Events that stand in packs, and those with data that do not.
    func packed() async throws -> (inPacks: Int, inRows: Int) {
        let counts = try await service.database.queryOne(
            """
            select (select coalesce(sum(cardinality(ids)), 0)::bigint from event_pack),
              (select count(*) from event where content is not null)
            """, as: Int.self, Int.self)
        let (packs, rows) = try #require(counts)
        return (packs, rows)
    }

    /// Whether so many do and do not.
    func isPacked(_ inPacks: Int, _ inRows: Int) async throws -> Bool {
        let found = try await packed()
        return found.inPacks == inPacks && found.inRows == inRows
    }

    /// The backend that the backend `blocker` keeps waiting, within `Duration.patience`. Call on a loop.
    func blocked(by blocker: Int32) async throws -> Int32 {
        let end = Deadline.after(.patience)
        while true {
            let found = try await service.database.queryOne(
                "select pid from pg_stat_activity where \(blocker) = any(pg_blocking_pids(pid)) limit 1", as: Int32.self
            )
            if let found { return found }
            try #require(!end.hasPassed, "nobody waits")
            await Task.yield()
        }
    }
}
