import Postgres
import PostgresTesting
import Primitives
import Security
import ServiceTesting
import Telemetry
import Testing

@testable import Service

@Suite struct AuditTests {
    /// A trail on a schema of its own, whose tables belong to the test.
    private struct Trail: Sendable {
        let audit: AuditTrail
        let database: Database
        let schema: String

        static func with(_ body: @escaping @Sendable (Trail) async throws -> Void) async throws {
            try await TestDatabase.with { test in
                try await test.addAudit()
                try await body(
                    Trail(
                        audit: AuditTrail(database: test.database), database: test.database,
                        schema: AuditTables.schema(beside: test.schema)))
            }
        }

        var entries: SQL { "\(identifier: schema).audit_entry" }
        var waiting: SQL { "\(identifier: schema).audit_waiting" }

        func append(_ count: Int = 1, by actor: String = "query") async throws {
            for _ in 0..<count {
                try await audit.append(
                    [.init(actor: actor, action: "accounts.find", pseudonym: nil, purpose: "request")], in: database)
            }
        }

        /// As the server's administrator may: the whole trail goes.
        func empty() async throws {
            try await database.execute("delete from \(sql: entries)")
            try await database.execute(
                """
                update \(identifier: schema).audit_head set sequence = 0, hash = decode(repeat('00', 32), 'hex')
                """)
        }

        func said(_ arguments: String...) async -> String {
            do { return try await AuditCommand.run(arguments, audit) } catch { return "\(error)" }
        }
    }

    @Test("NFR-06b: The database hashes entries as the documented chain says, whatever stands in them")
    func hashes() async throws {
        try await Trail.with { trail in
            let readings: [AuditTrail.Reading] = [
                .init(actor: "query", action: "a", pseudonym: nil, purpose: ""),
                .init(actor: "", action: "", pseudonym: .random(), purpose: "perché così 🏃", onBehalfOf: .random()),
                .init(actor: "x", action: "y", pseudonym: .random(), purpose: #"\x00 'quoted' \\"#),
                .init(actor: "x", action: "y", pseudonym: nil, purpose: "z", onBehalfOf: .random()),
            ]
            try await trail.audit.append(readings, in: trail.database)
            #expect(try await trail.audit.verify().sequence == 4)
            #expect(
                try await trail.database.query(
                    "select purpose from \(sql: trail.entries) order by sequence", as: String.self)
                    == readings.map(\.purpose))
            for column in ["actor", "action", "purpose"] {
                try await trail.database.execute(
                    "update \(sql: trail.entries) set \(identifier: column) = \(identifier: column) || ' ' where sequence = 3"
                )
                await #expect(throws: SecurityError.auditBroken(sequence: 3, .hash)) { try await trail.audit.verify() }
                try await trail.database.execute(
                    "update \(sql: trail.entries) set \(identifier: column) = rtrim(\(identifier: column)) where sequence = 3"
                )
            }
            for change: SQL in [
                "pseudonym = null", "on_behalf_of = pseudonym", "recorded_at = recorded_at - interval '1 ms'",
            ] {
                try await trail.database.execute("update \(sql: trail.entries) set \(sql: change) where sequence = 3")
                await #expect(throws: SecurityError.auditBroken(sequence: 3, .hash)) { try await trail.audit.verify() }
            }
        }
    }

    @Test(
        "NFR-06b: The head of the audit trail is published in the log, and what contradicts a published one is reported"
    )
    func head() async throws {
        try await Trail.with { trail in
            let sink = MemoryLogSink()
            let watch = AuditWatch(audit: trail.audit, log: Log(service: "accounts", sink: sink))
            try await trail.append()
            try await watch.publish()
            #expect(sink.lines.contains { $0.contains("audit head") && $0.contains(#""sequence":1"#) })
            try await trail.append()
            try await watch.publish()
            #expect(sink.lines.contains { $0.contains("audit head") && $0.contains(#""sequence":2"#) })
            // Somebody writes the whole trail anew, with hashes that fit.
            try await trail.empty()
            try await trail.append(2, by: "x")
            try await trail.audit.tie()
            #expect(!sink.lines.contains { $0.contains("the audit trail was changed") })
            try await watch.publish()
            #expect(sink.lines.contains { $0.contains("the audit trail was changed") })
        }
    }

    @Test("NFR-06b: The audit trail shows when an entry was changed or removed, also by who owns the database")
    func tamper() async throws {
        try await Trail.with { trail in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { try await trail.append() } }
                try await group.waitForAll()
            }
            #expect(try await trail.audit.verify().sequence == 20)
            try await trail.database.execute("update \(sql: trail.entries) set actor = 'x' where sequence = 7")
            await #expect(throws: SecurityError.auditBroken(sequence: 7, .hash)) { try await trail.audit.verify() }
            try await trail.database.execute("update \(sql: trail.entries) set actor = 'query' where sequence = 7")
            #expect(try await trail.audit.verify().sequence == 20)
            try await trail.database.execute("delete from \(sql: trail.entries) where sequence = 20")
            await #expect(throws: SecurityError.auditBroken(sequence: 19, .head)) { try await trail.audit.verify() }
        }
    }

    @Test("NFR-06b: However many entries wait, all of them are tied, in the order in which they were written")
    func many() async throws {
        try await Trail.with { trail in
            let purposes = (0..<150).map { "\($0)" }
            try await trail.audit.append(
                purposes.map { .init(actor: "query", action: "accounts.find", pseudonym: nil, purpose: $0) },
                in: trail.database)
            let metrics = Metrics()
            let backlog = AuditBacklog(audit: trail.audit, metrics: metrics)
            try await backlog.count()
            #expect(String(decoding: await metrics.text(), as: UTF8.self).contains("trackme_audit_waiting 150\n"))
            #expect(try await trail.audit.verify().sequence == 150)
            let tied = try await trail.database.query(
                "select purpose from \(sql: trail.entries) order by sequence", as: String.self)
            #expect(tied == purposes)
            try await backlog.count()
            #expect(String(decoding: await metrics.text(), as: UTF8.self).contains("trackme_audit_waiting 0\n"))
        }
    }

    @Test(
        "NFR-06b: The command that checks the audit trail names the first bad entry, also of a trail that was written anew"
    )
    func command() async throws {
        try await Trail.with { trail in
            try await trail.append(3)
            let known = try await trail.audit.head()
            try await trail.append(3)
            #expect(await trail.said("verify").hasPrefix("The audit trail holds up to entry 6,"))
            #expect(await trail.said("verify", "3", hex(known.hash)).hasPrefix("The audit trail holds up to entry 6,"))
            #expect(await trail.said("verify", "3").hasPrefix("Say audit verify"))
            #expect(await trail.said("verify", "3", "00").hasPrefix("Say audit verify"))

            try await trail.database.execute("update \(sql: trail.entries) set purpose = 'x' where sequence = 2")
            #expect(await trail.said("verify") == "Entry 2 of the audit trail, or one before it, was changed.")
            try await trail.database.execute("delete from \(sql: trail.entries) where sequence = 2")
            #expect(await trail.said("verify") == "Entry 2 of the audit trail is missing; 3 follows in its place.")
            // Somebody writes all of it anew, with hashes that fit: only what the log told contradicts it.
            try await trail.empty()
            try await trail.append(7, by: "track4run")
            #expect(await trail.said("verify").hasPrefix("The audit trail holds up to entry 7,"))
            #expect(
                await trail.said("verify", "3", hex(known.hash))
                    == "Entry 4 of the audit trail, or one before it, was changed.")
        }
    }

    @Test("NFR-06b: The oldest entries of the audit trail go when their time is over, and the rest still proves itself")
    func retention() async throws {
        try await Trail.with { trail in
            for days in [800, 600, 10] {
                try await trail.append()
                try await trail.database.execute(
                    """
                    update \(sql: trail.waiting) set recorded_at = recorded_at - make_interval(days => \(Int32(days)))
                    """)
                try await trail.audit.tie()
            }
            let known = try await trail.audit.head()
            let now = try await trail.database.certainTime(by: SystemClock())
            func enforce(days: Int) async throws -> Int {
                try await trail.audit.retention.enforce(before: now - .seconds(86_400 * days))
            }
            await #expect(throws: PostgresError.self) { try await enforce(days: 360) }
            #expect(try await enforce(days: 370) == 2)
            #expect(try await enforce(days: 370) == 0)
            #expect(try await trail.database.query("select sequence from \(sql: trail.entries)", as: Int64.self) == [3])
            try await trail.append(by: "y")
            #expect(try await trail.audit.verify().sequence == 4)
            #expect(try await trail.audit.verify(from: known).sequence == 4)
            // Who has deleted entries has not got rid of a head that was published before.
            await #expect(throws: SecurityError.auditBroken(sequence: 2, .deleted)) {
                try await trail.audit.verify(from: AuditChain())
            }
            try await trail.database.execute("update \(sql: trail.entries) set actor = 'z' where sequence = 3")
            await #expect(throws: SecurityError.auditBroken(sequence: 3, .hash)) { try await trail.audit.verify() }
        }
    }

    @Test("NFR-06b: The audit trail cannot be configured to be kept for less than a year")
    func shortest() async throws {
        try await Trail.with { trail in
            func retention(_ days: Int) throws -> Retention {
                try Retention(
                    [trail.audit.retention], days: ["audit": days], clock: SystemClock(), database: trail.database)
            }
            _ = try retention(366)
            let error = #expect(throws: ConfigurationError.self) { try retention(365) }
            #expect(error.map { "\($0)" } == "The retention \"audit\" is not 366 to 36500 days.")
        }
    }

    @Test("NFR-06b: A service whose audit trail is not there says what to run, and one that could change its own warns")
    func rights() async throws {
        try await TestDatabase.with { test in
            let sink = MemoryLogSink()
            let rights = AuditRights(
                audit: AuditTrail(database: test.database), log: Log(service: "accounts", sink: sink))
            let error = await #expect(throws: StartError.self) { try await rights.check() }
            #expect(error?.description.contains("run deploy/postgres/roles.sql") == true)
            try await test.addAudit()
            try await rights.check()
            #expect(sink.lines.contains { $0.contains("can change its own audit trail") })
            #expect(!sink.lines.contains { $0.contains("lacks an index") })
            let audit = AuditTables.schema(beside: test.schema)
            try await test.database.execute("drop index \(identifier: audit).audit_entry_operators")
            try await rights.check()
            #expect(sink.lines.contains { $0.contains("lacks an index") })
        }
    }

    @Test("NFR-06b ACC-12b: A person has one pseudonym in a service's audit trail; who was erased has none any more")
    func people() async throws {
        try await TestDatabase.with { test in
            try await Migrations(schema: test.schema, [ErasureSchema.follower(1), AuditSchema.people(2)])
                .run(on: test.database)
            let (anna, bruno) = (UUID.random(), UUID.random())
            func pseudonym(_ account: UUID) async throws -> UUID? {
                try await test.database.queryOne("select audit_pseudonym(\(account))", as: UUID?.self) ?? nil
            }
            let all = try await withThrowingTaskGroup(of: UUID?.self) { group in
                for _ in 0..<10 { group.addTask { try await pseudonym(anna) } }
                return try await group.reduce(into: Set<UUID?>()) { $0.insert($1) }
            }
            let first = try #require(all.first)
            #expect(all.count == 1 && first != nil && first != anna)
            #expect(try await pseudonym(bruno) != first)
            try await test.database.execute("delete from audit_person where account = \(anna)")
            try await test.database.execute(
                """
                insert into erasure (id, account, kind, scope, requested_at, items, erased_at)
                values (\(UUID.random()), \(anna), 'individual', 'account', now(), '[]', now())
                """)
            #expect(try await pseudonym(anna) == nil)
            #expect(try await test.database.query("select account from audit_person", as: UUID.self) == [bruno])
        }
    }
}
