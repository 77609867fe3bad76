import Security
import Contracts
import Domain
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// What of the neighbours' reads is in the audit trail.
@Suite struct ReadAuditTests {
    private let account = UUID.random()
    private let device = UUID.random()

    @Test(
        "NFR-06b: What a neighbour reads of a person is in the audit trail: who, on whose behalf, whose, why; once for reads that belong together"
    )
    func reads() async throws {
        try await IngestionTest.with { test in
            for number in 1...3 {
                _ = try await test.upload(
                    Int64(number), [heartRates([60 + Double(number)])], device: device, of: account)
            }
            let query = test.service.rpc(as: "query")
            let company = UUID.random()
            func read(
                _ purpose: String, after: Ingestion.ReadCursor = .beginning, types: [DataType] = [.heartRate]
            ) async throws -> Ingestion.Read.Result {
                try await query.call(
                    Ingestion.Read.self,
                    .init(
                        accountID: account, types: types, from: IngestionTest.start - .seconds(3600),
                        to: IngestionTest.start + .seconds(3600), after: after, limit: 1, waitMilliseconds: 0,
                        reason: .init(purpose: purpose, onBehalfOf: company)))
            }
            _ = try await query.call(
                Ingestion.Types.self, .init(accountID: account, reason: .init(purpose: "request", onBehalfOf: company)))
            let first = try await read("request 1, access 1")
            let second = try await read("request 1, access 1", after: first.next)
            #expect(!first.series.isEmpty && !second.series.isEmpty)
            // Nothing is handed over.
            #expect(try await read("request 1, access 2", types: [.steps]).series.isEmpty)
            _ = try await read("request 1, access 3")
            for wrong in ["", String(repeating: "x", count: 101)] {
                let error = await #expect(throws: RPCError.self) { try await read(wrong) }
                #expect(error?.code == .invalidParams)
            }
            let lines = try await test.service.auditLines()
            #expect(
                lines.map(\.description) == [
                    "query ingestion.types request", "query ingestion.read request 1, access 1",
                    "query ingestion.read request 1, access 3",
                ])
            func pseudonym(_ account: UUID) async throws -> UUID? {
                try await test.database.queryOne(
                    "select pseudonym from audit_person where account = \(account)", as: UUID.self)
            }
            let (person, asker) = (try await pseudonym(account), try await pseudonym(company))
            #expect(person != nil && person != account && asker != nil)
            #expect(lines.allSatisfy { $0.pseudonym == person && $0.onBehalfOf == asker })
            #expect(try await AuditTrail(database: test.database).verify().sequence == 3)
        }
    }

    @Test("NFR-06b: What a service reads of a gap in the live feed is in the audit trail")
    func gaps() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            _ = try await test.upload(1, [heartRates([60])], device: device, of: account)
            let now = Timestamp.now()
            for (caller, isTold) in [("dispatcher", true), ("track4run", false)] {
                let answer: Ingestion.ReadGap.Result?
                do {
                    answer = try await test.service.rpc(as: caller).call(
                        Ingestion.ReadGap.self,
                        .init(
                            accountID: account, types: [.heartRate], receivedFrom: IngestionTest.start - .seconds(3600),
                            receivedTo: now + .seconds(3600)))
                } catch { answer = nil }
                #expect((answer?.uploads.isEmpty == false) == isTold, "\(caller)")
            }
            #expect(
                try await test.service.auditLines().map(\.description) == ["dispatcher ingestion.read_gap watch"])
        }
    }

    @Test("NFR-06b: A read whose entry cannot be written is not answered; entries of many at once are written together")
    func writer() async throws {
        try await IngestionTest.with { test in
            let writer = AuditWriter(AuditTrail(database: test.database))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        try await writer.note(
                            .init(actor: "query", action: "x", account: .random(), purpose: "\(number)"))
                    }
                }
                try await group.waitForAll()
            }
            #expect(Set(try await test.service.auditLines().map(\.purpose)) == Set((0..<300).map { "\($0)" }))

            _ = try await test.upload(1, [heartRates([60])], device: device, of: account)
            let schema = AuditTables.schema(beside: test.database.configuration.searchPath[0])
            try await test.database.execute("alter table \(identifier: schema).audit_waiting rename to away")
            await #expect(throws: RPCError.self) { try await test.read(account) }
            try await test.database.execute("alter table \(identifier: schema).away rename to audit_waiting")
            let series = try await test.read(account).series
            #expect(!series.isEmpty)
            #expect(try await test.service.auditLines().count == 301)
        }
    }

    @Test("NFR-06b: A reading that goes on is another entry after its time")
    func later() async throws {
        try await IngestionTest.with { test in
            let start = Deadline.now()
            let passed = Mutex(Duration.zero)
            let writer = AuditWriter(AuditTrail(database: test.database)) {
                start.advanced(by: passed.withLock { $0 })
            }
            let reading = AuditWriter.Reading(actor: "query", action: "x", account: account, purpose: "y")
            for (seconds, count) in [(0, 1), (1700, 1), (5400, 2)] {
                passed.withLock { $0 = .seconds(seconds) }
                try await writer.note(reading)
                let lines = try await test.service.auditLines()
                #expect(lines.count == count)
            }
        }
    }
}
