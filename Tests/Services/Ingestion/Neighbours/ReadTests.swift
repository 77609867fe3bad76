import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

@Suite struct ReadTests {
    private let account = UUID.random()
    private let device = UUID.random()

    @Test("REQ-07: the past in the order of arrival, whole uploads, by types and span, and then what comes")
    func reads() async throws {
        try await IngestionTest.with { test in
            let early = IngestionTest.start - .seconds(7200)
            _ = try await test.upload(
                1, [heartRates([61, 62]), single(.steps, 9, at: early)], device: device, of: account)
            _ = try await test.upload(2, [heartRates([50, 51, 52], from: early)], device: device, of: account)
            _ = try await test.upload(3, [single(.steps, 10, at: IngestionTest.start)], device: device, of: account)
            let all = try await test.read(account, [.heartRate])
            #expect(all.series.map(\.values) == [[61, 62], [50, 51, 52]])
            #expect(!all.hasMore)
            // Nothing of the third concerned the caller; it need not be looked at again.
            let third = try await test.read(account, [.steps], after: all.next)
            #expect(third.series.isEmpty && third.next == all.next)
            let first = try await test.read(account, [.heartRate], limit: 1)
            #expect(first.series.map(\.values) == [[61, 62]] && first.hasMore)
            let next = try await test.read(account, [.heartRate], after: first.next, limit: 1)
            #expect(next.series.map(\.values) == [[50, 51, 52]])
            let part = try await test.read(account, [.heartRate], from: early + .seconds(1), to: early + .seconds(2))
            #expect(part.series.map(\.values) == [[51]])
        }
    }

    @Test("REQ-03c: the data types that are collected at all, whenever it was")
    func types() async throws {
        try await IngestionTest.with { test in
            let early = IngestionTest.start - .seconds(7200)
            _ = try await test.upload(1, [single(.steps, 9, at: early)], device: device, of: account)
            _ = try await test.upload(2, [heartRates([61, 62])], device: device, of: account)
            let answer = try await test.service.rpc(as: "query").call(
                Ingestion.Types.self, .init(accountID: account, reason: .test))
            #expect(answer.types == [.heartRate, .steps])
            // What was refused or dropped is not collected.
            _ = try await test.upload(3, [single(.weight, 9999, at: early)], device: device, of: account)
            let again = try await test.service.rpc(as: "query").call(
                Ingestion.Types.self, .init(accountID: account, reason: .test))
            #expect(again.types == answer.types)
            let nobody = try await test.service.rpc(as: "query").call(
                Ingestion.Types.self, .init(accountID: .random(), reason: .test))
            #expect(nobody.types.isEmpty)
        }
    }

    @Test("Who is not known, and who may not ask, is told so")
    func refusals() async throws {
        try await IngestionTest.with { test in
            await #expect(throws: RPCError(.notFound, "Nothing is stored for this account.")) {
                try await test.read(account)
            }
            let error = await #expect(throws: RPCError.self) {
                try await test.service.rpc(as: "dispatcher").call(
                    Ingestion.Types.self, .init(accountID: account, reason: .test))
            }
            #expect(error?.code == .notAllowed)
        }
    }

    @Test("NFR-02: a read that waits is answered when the next upload is stored, and empty when none comes")
    func waits() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            let first = try await test.read(account)
            let waiting = test.service.loops.next().task {
                try? await test.read(account, after: first.next, waitMS: 20_000)
            }
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            #expect(await waiting.value?.series.first?.values == [62])
            let second = try await test.read(account, after: first.next)
            let nothing = try await test.read(account, after: second.next, waitMS: 20)
            #expect(nothing.series.isEmpty && nothing.next == second.next)
        }
    }

    @Test(
        "NFR-02 REQ-07: who waits looks for what other replicas have stored while there are some, and else asks for nothing"
    )
    func replicas() async throws {
        try await IngestionTest.with { test in
            for number in 1...2 {
                _ = try await test.upload(
                    Int64(number), [heartRates([60 + Double(number)])], device: device, of: account)
            }
            let first = try await test.read(account, limit: 1)
            #expect(first.series.map(\.values) == [[61]])
            try await test.database.batch([
                "create table later as select * from arrival where arrival = 2",
                "delete from arrival where arrival = 2",
            ])
            let asked = EventCounter()
            let others = Mutex<Bool>(false)
            let caller = LocalCaller(
                router: router(test) {
                    asked.raise()
                    return others.withLock { $0 }
                }, as: "query")
            let (account, next) = (account, first.next)
            let waiting = test.service.loops.next().task {
                try? await caller.call(
                    Ingestion.Read.self,
                    .init(
                        accountID: account, types: [.heartRate], from: Timestamp("2000-01-01T00:00:00Z")!,
                        to: Timestamp("2100-01-01T00:00:00Z")!, after: next, limit: 100, waitMilliseconds: 25_000,
                        reason: .test),
                    deadline: .after(.seconds(60)))
            }
            let patience = Deadline.after(.patience)
            _ = await asked.wait(after: asked.value, deadline: patience)
            // Another replica stores it: nothing is heard of it here.
            try await test.database.execute("insert into arrival select * from later")
            // Alone it waits on. With a look every time it would have it by now, and not ask again.
            for _ in 0..<3 {
                let seen = asked.value
                #expect(await asked.wait(after: seen, deadline: patience) > seen)
            }
            others.withLock { $0 = true }
            #expect(await waiting.value?.series.map(\.values) == [[62]])
            #expect(!patience.hasPassed)
        }
    }

    private func router(_ test: IngestionTest, _ hasOtherReplicas: @escaping @Sendable () -> Bool) -> RPCRouter {
        let samples = PersonSamples(database: test.database, keys: test.keys, threads: .computing)
        var method = ReadMethod(
            database: test.database, keys: test.keys, counters: ArrivalCounters(), threads: .computing,
            first: FirstArrivals(samples: samples),
            counted: CountedPieces(
                contexts: PersonContexts(database: test.database, keys: test.keys), samples: samples),
            hasOtherReplicas: hasOtherReplicas)
        method.lookInterval = .milliseconds(5)
        let short = method
        var router = RPCRouter()
        ReadMethod.register(in: &router, noting: AuditWriter(AuditTrail(database: test.database))) { _ in short }
        return router
    }

    @Test("NFR-03: a read that waits does not keep the service from stopping")
    func stops() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            let first = try await test.read(account)
            let waiting = test.service.loops.next().task {
                try? await test.read(account, after: first.next, waitMS: 20_000)
            }
            await test.service.assembled.stop()
            #expect(await waiting.value?.series.isEmpty == true)
        }
    }

    @Test("ING-02: while a person's devices upload at the same time, a reader loses and doubles nothing")
    func readsWhileWriting() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(0, [heartRates([30])], device: device, of: account)
            let reader = test.service.loops.next().task {
                var (seen, after) = ([Double](), Ingestion.ReadCursor.beginning)
                let end = Deadline.after(.patience)
                while seen.count < 121, !end.hasPassed {
                    guard let page = try? await test.read(account, after: after, limit: 7, waitMS: 1000) else { break }
                    seen += page.series.flatMap { $0.values ?? [] }
                    after = page.next
                }
                return seen
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    let device = UUID.random()
                    // Each has hours of its own: of two in the same hour one counts.
                    let begin = IngestionTest.start - .seconds(7200 * (writer + 1))
                    group.addTask {
                        for number in 0..<20 {
                            let rates = heartRates([31 + Double(writer * 20 + number)], from: begin)
                            _ = try await test.upload(Int64(number), [rates], device: device, of: account)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(await reader.value.sorted() == (30...150).map { Double($0) })
        }
    }
}
