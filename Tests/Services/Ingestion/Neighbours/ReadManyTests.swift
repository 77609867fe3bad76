import Contracts
import Domain
import Postgres
import PostgresTesting
import Primitives
import RPC
import SeededRandom
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// Many people's samples by one call.
@Suite struct ReadManyTests {
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    /// Somebody with uploads of two devices, some of them repeated, and of entries by hand; partly in blocks.
    private func fill(_ test: IngestionTest, _ account: UUID, _ generator: inout SeededGenerator) async throws {
        let devices = [UUID.random(), UUID.random()]
        for number in 1...Int.random(in: 2...12, using: &generator) {
            let time = noon - .seconds(Int.random(in: 0..<3 * 86_400, using: &generator))
            let values = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                Double.random(in: 50..<90, using: &generator).rounded()
            }
            let series = [heartRates(values, from: time), single(.steps, Double(number), at: time)]
            let device = devices[Int.random(in: 0...1, using: &generator)]
            _ = try await test.upload(Int64(number), series, device: device, of: account)
            if Bool.random(using: &generator) {
                // Kept by the device and sent once more, with something new.
                let more = series + [single(.steps, 100 + Double(number), at: time + .seconds(1))]
                _ = try await test.upload(1000 + Int64(number), more, device: device, of: account)
            }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: try await test.seal(account)
            case 1:
                try await test.seal(account)
                let person = try await test.number(of: account)
                try await test.database.execute("delete from arrival where person = \(person)")
            default: break
            }
        }
    }

    @Test("SUB-01a REQ-07: many people are read as each of them alone, page by page, whatever is in blocks")
    func same() async throws {
        try await IngestionTest.with { test in
            for seed in 0..<4 {
                var generator = SeededGenerator(seed: UInt64(seed))
                let people = (0..<6).map { _ in UUID.random() }
                for account in people { try await fill(test, account, &generator) }
                var items = people.map { account in
                    test.item(
                        account, Bool.random(using: &generator) ? [.heartRate, .steps] : [.heartRate],
                        limit: [1, 4, 100][Int.random(in: 0...2, using: &generator)],
                        from: Bool.random(using: &generator) ? noon - .seconds(86_400) : noon - .seconds(9 * 86_400))
                }
                // The same person for somebody else, and nobody.
                items += [test.item(people[0], [.steps], limit: 2), test.item(.random())]
                var (open, samples) = (Set(items.indices), 0)
                for _ in 0..<1000 where !open.isEmpty {
                    let asked = open.sorted()
                    let answers = try await test.readMany(asked.map { items[$0] })
                    for (index, answer) in zip(asked, answers) {
                        let item = items[index]
                        guard index < items.count - 1 else {
                            #expect(answer.outcome == .nothing && answer.series.isEmpty)
                            open.remove(index)
                            continue
                        }
                        let alone = try await test.read(
                            item.accountID, item.types, after: item.after, limit: item.limit, from: item.from,
                            to: item.to)
                        #expect(answer.outcome == .read && answer.series == alone.series)
                        #expect(answer.next == alone.next && answer.hasMore == alone.hasMore)
                        samples += answer.series.reduce(0) { $0 + $1.count }
                        items[index].after = answer.next
                        if !answer.hasMore { open.remove(index) }
                    }
                }
                #expect(open.isEmpty && samples > 0)
            }
        }
    }

    @Test("SUB-01a: behind the limit of an answer nobody is read, and the next call brings the rest")
    func limit() async throws {
        try await IngestionTest.with { test in
            let people = (0..<5).map { _ in UUID.random() }
            let values = (0..<10).map { 60 + Double($0) }
            for account in people {
                _ = try await test.upload(1, [heartRates(values)], device: .random(), of: account)
            }
            // Already in blocks.
            try await test.seal(people[3])
            try await test.database.execute(
                "delete from arrival where person = \(try await test.number(of: people[3]))")
            let items = people.map { test.item($0) }
            let first = try await test.readMany(items, limit: 20)
            #expect(first.map { $0.series.reduce(0) { $0 + $1.count } } == [10, 10, 0, 0, 0])
            #expect(first.map(\.hasMore) == [false, false, true, true, true])
            #expect(first[2...].allSatisfy { $0.outcome == .read && $0.next.after == 0 })
            let rest = (2..<5).map { index in
                var item = items[index]
                item.after = first[index].next
                return item
            }
            let second = try await test.readMany(rest)
            #expect(second.map { $0.series.flatMap { $0.values ?? [] } } == [values, values, values])
        }
    }

    @Test("What is not a read of many is refused")
    func refusals() async throws {
        try await IngestionTest.with { test in
            func code(_ items: [Ingestion.ReadMany.Item], limit: Int = 100) async -> RPCError.Code? {
                do throws(RPCError) {
                    _ = try await test.service.rpc(as: "query").call(
                        Ingestion.ReadMany.self, .init(reads: items, limit: limit))
                    return nil
                } catch { return error.code }
            }
            let item = test.item(.random())
            #expect(await code([item]) == nil)
            #expect(await code([]) == .invalidParams)
            #expect(await code(Array(repeating: item, count: 500)) == nil)
            #expect(await code(Array(repeating: item, count: 501)) == .invalidParams)
            for limit in [0, 20_001] { #expect(await code([item], limit: limit) == .invalidParams) }
            #expect(await code([test.item(.random(), limit: 0)]) == .invalidParams)
            #expect(await code([test.item(.random(), after: .init(after: -1))]) == .invalidParams)
            let long = String(repeating: "x", count: 101)
            for purpose in ["", long] {
                let wrong = test.item(.random(), reason: .init(purpose: purpose))
                #expect(await code([item, wrong]) == .invalidParams)
            }
        }
    }

    @Test(
        "NFR-06b: of a read of many each person of whom something is handed over is in the audit trail, by one commit")
    func audit() async throws {
        try await IngestionTest.with { test in
            let (people, company) = ((0..<4).map { _ in UUID.random() }, UUID.random())
            for account in people {
                _ = try await test.upload(1, [heartRates([60])], device: .random(), of: account)
            }
            var items = people.map {
                test.item($0, reason: .init(purpose: "request 1, access \($0)", onBehalfOf: company))
            }
            // Nothing of this one, nobody, and one twice.
            items[3].types = [.steps]
            items += [test.item(.random()), items[0]]
            for _ in 0..<2 {
                let answers = try await test.readMany(items)
                #expect(answers.map(\.series.count) == [1, 1, 1, 0, 0, 1])
            }
            let trail = AuditTables.schema(beside: test.database.configuration.searchPath[0])
            let commits = try await test.database.queryOne(
                "select count(distinct xmin::text) from \(identifier: trail).audit_waiting", as: Int.self)
            #expect(commits == 1)
            let lines = try await test.service.auditLines()
            #expect(
                lines.map(\.description)
                    == people.prefix(3).map { "query ingestion.read request 1, access \($0)" })
            let asker = try await test.database.queryOne(
                "select pseudonym from audit_person where account = \(company)", as: UUID.self)
            #expect(asker != nil && lines.allSatisfy { $0.onBehalfOf == asker })
        }
    }

    @Test("NFR-03: somebody who cannot be read, or who is erased, holds up nobody else")
    func faults() async throws {
        try await IngestionTest.with { test in
            let people = (0..<4).map { _ in UUID.random() }
            for account in people {
                _ = try await test.upload(1, [heartRates([60])], device: .random(), of: account)
            }
            let broken = try await test.number(of: people[1])
            try await test.database.execute("update arrival set sealed = 'x' where person = \(broken)")
            try await test.erase(people[2])
            let answers = try await test.readMany(people.map { test.item($0) })
            #expect(answers.map(\.outcome) == [.read, .failed, .nothing, .read])
            #expect(answers.map { $0.series.map(\.values) } == [[[60]], [], [], [[60]]])
            #expect(answers[1].next == .beginning && !answers[1].hasMore)
        }
    }

    @Test("SUB-01a: who wants only what comes gets a cursor after all that is stored, sealed or not")
    func end() async throws {
        try await IngestionTest.with { test in
            let (account, device) = (UUID.random(), UUID.random())
            func end() async throws -> Ingestion.ReadCursor {
                try await test.service.rpc(as: "query").call(Ingestion.ReadEnd.self, .init(accountID: account)).next
            }
            #expect(try await end() == .beginning)
            for number in 1...4 {
                _ = try await test.upload(
                    Int64(number), [heartRates([60], from: noon + .seconds(number))], device: device, of: account)
                let next = try await end()
                if number == 2 {
                    try await test.seal(account)
                    try await test.database.execute("delete from arrival")
                }
                #expect(try await end() == next)
                #expect(try await test.read(account, after: next).series.isEmpty)
            }
            let last = try await end()
            _ = try await test.upload(5, [heartRates([99], from: noon + .seconds(50))], device: device, of: account)
            #expect(try await test.read(account, after: last).series.map(\.values) == [[99]])
        }
    }
}
