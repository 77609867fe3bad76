import Contracts
import Domain
import HTTP
import Primitives
import RPC
import Reactor
import ReactorTesting
import ServiceTesting
import Synchronization
import Telemetry
import Testing

@testable import Ingestion

/// Nobody's questions delay those of others, or what alarms wait for.
@Suite struct QuestionTurnsTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func eventually(_ condition: () async throws -> Bool) async throws {
        let end = Deadline.after(.patience)
        while try await !condition() {
            try #require(!end.hasPassed, "it does not happen")
            try await EventLoop.current?.sleep(for: .milliseconds(2))
        }
    }

    @Test("NFR-01: two questions of a person are answered at once and ten wait; more are refused, and others' are not")
    func turns() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (turns, open, loop) = (QuestionTurns(), EventCounter(), loops.loops[0])
            let most = Mutex((now: 0, most: 0))
            func ask() -> Task<Void, any Error> {
                loop.throwingTask {
                    try await turns.run(of: account) {
                        most.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        _ = await open.wait(after: 0, deadline: .after(.patience))
                        most.withLock { $0.now -= 1 }
                    }
                }
            }
            let asked = (0..<12).map { _ in ask() }
            try await eventually { turns.asked(by: account) == (2, 10) }
            let refusal = await #expect(throws: Problem.self) { try await turns.run(of: account) {} }
            #expect(refusal?.status == .tooManyRequests && refusal?.code == "too-many-questions")
            #expect(refusal?.retryAfter != nil)
            try await turns.run(of: .random()) {}
            // One that gives up leaves its place to another.
            asked[11].cancel()
            await #expect(throws: IOError.cancelled) { try await asked[11].value }
            #expect(turns.asked(by: account) == (2, 9))
            let late = RequestScope(deadline: .now(), trace: .root())
            await #expect(throws: IOError.timedOut) {
                try await RequestScope.$current.withValue(late) { try await turns.run(of: account) {} }
            }
            open.raise()
            for one in asked.dropLast() { try await one.value }
            #expect(most.withLock { $0 } == (0, 2) && turns.asked(by: account) == (0, 0))
        }
    }

    @Test("work that nobody waits for any more when its turn comes is not begun")
    func abandoned() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (pool, gate, loop) = (try BlockingPool(threads: 1, queueMax: 10), Gate(), loops.loops[0])
            defer { pool.shutdown() }
            defer { gate.open() }
            let begun = Atomic(0)
            let queued = Atomic(0)
            func compute(by deadline: Deadline) -> Task<Void, any Error> {
                loop.throwingTask {
                    try await RequestScope.$current.withValue(RequestScope(deadline: deadline, trace: .root())) {
                        queued.add(1, ordering: .relaxed)
                        try await pool.computing { _ = begun.add(1, ordering: .relaxed) }
                    }
                }
            }
            let blocker = loop.throwingTask { try await pool.run { gate.wait() } }
            let (late, given, asked) = (compute(by: .now()), compute(by: .never), compute(by: .never))
            try await eventually { queued.load(ordering: .relaxed) == 3 }
            given.cancel()
            gate.open()
            try await blocker.value
            // A job that goes on after the request that began it.
            try await late.value
            await #expect(throws: IOError.cancelled) { try await given.value }
            try await asked.value
            #expect(begun.load(ordering: .relaxed) == 2)
        }
    }

    @Test(
        "SOS-02 NFR-01: while one person's questions take all threads, gaps are read for alarms, deliveries go on, and others upload"
    )
    func fairness() async throws {
        let (pool, gate) = (try BlockingPool(threads: 1, queueMax: 100), Gate())
        defer { pool.shutdown() }
        try await IngestionTest.with(computingOn: pool) { test in
            defer { gate.open() }
            let loop = try #require(EventLoop.current)
            try await test.watch(account)
            _ = try await test.upload(1, [heartRates([61, 62])], device: device, of: account)
            let blocker = loop.throwingTask { try await pool.run { gate.wait() } }
            let span = "type=heart-rate&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"
            let asked = (0..<12).map { _ in
                loop.throwingTask { try await test.get("statistics?\(span)", of: account).status }
            }
            try await eventually { QuestionTurns.ofProcess.asked(by: account) == (2, 10) }
            let refusal = try await test.get("latest", of: account)
            #expect(refusal.status == .tooManyRequests && refusal.fields["Retry-After"] == "1")
            #expect(try await test.code(refusal) == "too-many-questions")
            let gap = try await test.service.rpc(as: "dispatcher").call(
                Ingestion.ReadGap.self,
                .init(
                    accountID: account, types: [.heartRate], receivedFrom: IngestionTest.start - .seconds(3600),
                    receivedTo: Timestamp("2099-01-01T00:00:00Z")!, after: .beginning, limit: 100))
            #expect(gap.uploads.flatMap(\.samples.series).map(\.values) == [[61, 62]])
            #expect(try await test.read(account, waitMS: 0).series.map(\.values) == [[61, 62]])
            let other = UUID.random()
            #expect(try await test.upload(1, [heartRates([70])], device: .random(), of: other).stored == 1)
            #expect(try await test.get("usage", of: other).status == .ok)
            gate.open()
            try await blocker.value
            for one in asked { #expect(try await one.value == .ok) }
        }
    }
}
