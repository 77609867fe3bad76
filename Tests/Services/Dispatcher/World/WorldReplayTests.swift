import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Security
import Testing

@testable import Dispatcher

/// What has happened in the world's database happens in PostgreSQL, statement by statement, at the same times: both have the same rows.
@Suite struct WorldReplayTests {
    private struct Recorded: Sendable {
        let history: [(at: Timestamp, operation: WorldOperation)]
        let rows: [UUID: WorldRow]
        let entries: Set<UUID>
    }

    private func recorded(_ seed: UInt64) async throws -> Recorded {
        try await BlockingPool.shared.run {
            Result {
                let world = try World(seed: seed, isRecording: true)
                _ = world.live()
                let tables = world.database.tables
                return Recorded(history: world.database.history, rows: tables.incidents, entries: tables.entries)
            }
        }.get()
    }

    @Test(
        "SOS-07: recorded histories of the world's database give the same rows in PostgreSQL",
        arguments: [1, 2, 3, 5, 8, 13])
    func replayed(_ seed: UInt64) async throws {
        let recorded = try await recorded(seed)
        #expect(recorded.history.count > 100 && !recorded.rows.isEmpty)
        // Names are looked for in the schema first: so its clock is the one that is asked.
        try await TestDatabase.with(configure: { $0.searchPath.append("pg_catalog") }) { test in
            try await Migrations(schema: test.schema, DispatcherService.migrations).run(on: test.database)
            try await test.addAudit()
            try await test.database.batch([
                "create table world_clock (at timestamptz not null)",
                "insert into world_clock values (now())",
                """
                create function clock_timestamp() returns timestamptz language sql volatile
                as 'select at from world_clock'
                """,
            ])
            // Ages count by the database's clock alone while this one stands still.
            let still = Simulation(seed: seed, at: 10_000_000_000_000, wallMicroseconds: 0)
            still.begin()
            defer { still.end() }
            for (at, operation) in recorded.history {
                try await test.database.execute("update world_clock set at = \(at)")
                try await replay(operation, in: test.database)
            }
            try await compare(recorded, test.database)
        }
    }

    private func store(_ database: Database, _ holder: UUID) -> IncidentStore {
        let template = WorldTemplate.shared
        return IncidentStore(
            database: database, sealing: IncidentSealing(keys: template.keys),
            notices: template.capabilities.people.notices, times: HandOverTimes(), log: template.log, holder: holder)
    }

    private func replay(_ operation: WorldOperation, in database: Database) async throws {
        switch operation {
        case .change(let holder, let id, let lease, let body, let isDone):
            let change = try await store(database, holder).change(id, of: lease, deadline: nil) { try body(&$0) }
            #expect((change != nil) == isDone)
        case .settle(let holder, let journalled, let seen):
            _ = try await store(database, holder).settle(journalled, seen: seen, deadline: nil)
        case .press(let holder, let id, let account, let hooks, let press, let time):
            let again = IncidentStore.Press(make: press.make, update: press.update, time: { _ in time }) { true }
            _ = try await store(database, holder).call(id, of: account, hooks: hooks, again)
        case .renew(let holder, let ids): _ = try await store(database, holder).renew(ids)
        case .claim(let holder, let max, let skipped):
            _ = try await store(database, holder).claim(max: max, but: skipped)
        case .release(let holder): try await store(database, holder).release()
        case .write(let holder, let superseded, let opened, let saved):
            let store = store(database, holder)
            try await database.transaction { transaction in
                for record in superseded { try await transaction.batch(try store.save(record)) }
                if let opened { try await transaction.execute(try store.open(opened)) }
                if let saved { try await transaction.batch(try store.save(saved)) }
            }
        }
    }

    private func compare(_ recorded: Recorded, _ database: Database) async throws {
        let found = try await store(database, .random()).records("true").records
        #expect(Set(found.map(\.id)) == Set(recorded.rows.keys))
        for record in found {
            guard let row = recorded.rows[record.id] else { continue }
            #expect(record.incident == row.incident, "\(record.id)")
            #expect(record.details == row.details)
            #expect(record.account == row.account && record.openedAt == row.openedAt)
            #expect(record.revision == row.revision && record.fence == row.fence)
            let lease = try await database.query(
                "select holder, lease_until, due_at from incident where id = \(record.id)", as: UUID?.self,
                Timestamp.self,
                Timestamp?.self)
            #expect(lease.first?.0 == row.holder && lease.first?.1 == row.leaseUntil && lease.first?.2 == row.dueAt)
            let steps = try await database.query(
                "select at, kind, hook, detail from incident_step where incident = \(record.id) order by number",
                as: Timestamp.self, String.self, String?.self, String?.self)
            #expect(
                steps.map { "\($0.0) \($0.1) \($0.2 ?? "") \($0.3 ?? "")" }
                    == row.steps.map { "\($0.at) \($0.kind.rawValue) \($0.hook ?? "") \($0.detail ?? "")" })
        }
        let entries = try await database.query("select id from journal_entry", as: UUID.self)
        #expect(Set(entries) == recorded.entries)
    }
}
