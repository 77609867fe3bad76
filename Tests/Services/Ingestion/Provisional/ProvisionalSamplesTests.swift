import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// Uploads of watched people that cannot be stored in time.
@Suite struct ProvisionalSamplesTests {
    private let account = UUID.random()
    private let device = UUID.random()

    /// A dispatcher that takes what it is sent, or says what the test wants.
    private final class Judge: Sendable {
        struct State {
            var calls: [[Dispatcher.Provisional.Upload]] = []
            var failures: [RPCError] = []
            /// A call with this value is refused.
            var refused: Double?
            /// Replicas, each of which knows those people; in turn.
            var replicas: [(id: UUID, known: Set<UUID>)] = []
        }
        let state = Mutex(State())
        let news = EventCounter()

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(Dispatcher.Provisional.self, allow: ["ingestion"]) { params, _ in
                defer { self.news.raise() }
                return try self.state.withLock { state throws(RPCError) in
                    guard state.failures.isEmpty else { throw state.failures.removeFirst() }
                    let values = params.uploads.flatMap(\.samples.series).flatMap { $0.values ?? [] }
                    if let refused = state.refused, values.contains(refused) { throw RPCError(.invalidParams) }
                    state.calls.append(params.uploads)
                    guard let replica = state.replicas.first else { return .init(replica: .random(), unknown: []) }
                    state.replicas.append(state.replicas.removeFirst())
                    let unknown = Set(params.uploads.map(\.samples.accountID)).subtracting(replica.known)
                    return .init(replica: replica.id, unknown: unknown.sorted())
                }
            }
            return LocalCaller(router: router, as: "ingestion")
        }

        var uploads: [Dispatcher.Provisional.Upload] { state.withLock { $0.calls.flatMap { $0 } } }
        var values: [[Double]] { uploads.map { $0.samples.series.flatMap { $0.values ?? [] } } }

        /// Waits until it has so many.
        func wait(_ count: Int) async throws {
            let end = Deadline.after(.patience)
            while uploads.count < count {
                let seen = news.value
                guard uploads.count < count else { return }
                try #require(!end.hasPassed, "nothing was passed on")
                _ = await news.wait(after: seen, deadline: .after(.milliseconds(100)))
            }
        }
    }

    private func with(
        accountsHeard: Duration = .seconds(3600),
        _ body: @escaping @Sendable (IngestionTest, Judge) async throws -> Void
    ) async throws {
        let judge = Judge()
        try await IngestionTest.with(peers: ["dispatcher": judge.caller], accountsHeard: accountsHeard) { test in
            test.service.start()
            try await body(test, judge)
        }
    }

    private func rates(_ values: [Double], ago: Duration = .seconds(10)) -> SampleSeries {
        heartRates(values, from: IngestionTest.start - ago)
    }

    @Test("SOS-05a NFR-03b NFR-04a: what cannot be stored of a watched person is passed on, and answered as not stored")
    func databaseAway() async throws {
        let (account, device, other) = (account, device, UUID.random())
        try await with { test, judge in
            try await test.watch(account)
            #expect(try await test.upload(1, [rates([61])], device: device, of: account).stored == 1)
            _ = try await test.upload(1, [rates([62])], device: other, of: other)
            #expect(judge.uploads.isEmpty)
            await test.database.close()
            #expect(try await test.send(1, [rates([30])], device: other, of: other).status == .serviceUnavailable)
            // A device that this service has never heard of.
            let stranger = try await test.send(1, [rates([29])], device: .random(), of: account)
            #expect(stranger.status == .serviceUnavailable)
            for number in 2...4 {
                let value = Double(30 + number)
                let answer = try await test.send(Int64(number), [rates([value])], device: device, of: account)
                #expect(answer.status == .serviceUnavailable)
                // It sends it again and again.
                _ = try await test.send(Int64(number), [rates([value])], device: device, of: account)
            }
            try await judge.wait(3)
            #expect(judge.values == [[32], [33], [34]])
            let first = try #require(judge.uploads.first)
            #expect(first.samples.accountID == account && first.samples.deviceID == device)
            #expect(first.samples.receivedAt == IngestionTest.start && first.samples.sentAt == IngestionTest.start)
            #expect((0...60_000).contains(first.ageMilliseconds))
        }
    }

    @Test("SOS-05a: whom one replica of the dispatcher cannot judge another one is asked about, and each is asked once")
    func otherReplicas() async throws {
        let (account, device) = (account, device)
        try await with { test, judge in
            try await test.watch(account)
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            judge.state.withLock {
                $0.replicas = [(.random(), []), (.random(), []), (.random(), [account]), (.random(), [])]
            }
            await test.database.close()
            _ = try await test.send(2, [rates([31])], device: device, of: account)
            try await judge.wait(3)
            #expect(judge.values == [[31], [31], [31]])
            // Whom nobody knows.
            judge.state.withLock { $0.replicas = [(.random(), []), (.random(), [])] }
            _ = try await test.send(3, [rates([32])], device: device, of: account)
            try await judge.wait(6)
            judge.state.withLock { $0.replicas = [(.random(), [account])] }
            _ = try await test.send(4, [rates([33])], device: device, of: account)
            try await judge.wait(7)
            #expect(judge.values.suffix(4) == [[32], [32], [32], [33]])
        }
    }

    @Test("SOS-05a: what takes longer than half a second to store is passed on meanwhile, and stored all the same")
    func slow() async throws {
        let (account, device) = (account, device)
        try await with { test, judge in
            try await test.watch(account)
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            let sending = try await test.database.transaction { transaction in
                try await transaction.execute("lock table upload in access exclusive mode")
                let loop = try #require(EventLoop.current)
                let began = Deadline.now()
                let sending = loop.task {
                    try? await test.send(2, [self.rates([31])], device: device, of: account).status
                }
                try await judge.wait(1)
                #expect(Deadline.now().since(began) >= .milliseconds(450))
                return sending
            }
            #expect(await sending.value == .ok)
            #expect(judge.values == [[31]])
            let live = try await test.events(Ingestion.liveFeed, as: "dispatcher")
            #expect(live.count == 2)
        }
    }

    @Test("SOS-05d: refusals are no reason to pass anything on, nor is it passed on when nobody watches any more")
    func refusals() async throws {
        let (account, device) = (account, device)
        try await with { test, judge in
            try await test.watch(account)
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            #expect(try await test.send(1, [rates([30])], device: device, of: account).status == .conflict)
            let wrong = try await test.post("uploads", Array("{}".utf8), token: test.token(device: device, of: account))
            #expect(wrong.status == .unprocessableContent)
            try await test.watch(account, false, version: 2)
            _ = try await test.upload(2, [rates([61])], device: device, of: account)
            await test.database.close()
            #expect(try await test.send(3, [rates([30])], device: device, of: account).status == .serviceUnavailable)
            #expect(judge.uploads.isEmpty)
        }
    }

    @Test(
        "SOS-05a: while the dispatcher cannot take it nothing is lost or overtaken; what it refuses holds up nobody else"
    )
    func dispatcherAway() async throws {
        let (account, device) = (account, device)
        try await with { test, judge in
            try await test.watch(account)
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            await test.database.close()
            judge.state.withLock { $0.failures = [RPCError(.unavailable), RPCError(.deadline), RPCError(.internal)] }
            for number in 2...9 {
                _ = try await test.send(Int64(number), [rates([Double(number)])], device: device, of: account)
            }
            try await judge.wait(8)
            #expect(judge.values == (2...9).map { [Double($0)] })
            judge.state.withLock { $0.refused = 10 }
            for number in 10...11 {
                _ = try await test.send(Int64(number), [rates([Double(number)])], device: device, of: account)
            }
            try await judge.wait(9)
            #expect(judge.values.last == [11])
        }
    }

    @Test("ING-14a: nothing is passed on of what the person does not let be collected")
    func paused() {
        let start = IngestionTest.start
        var batch = SampleBatch()
        for (second, value) in [(-20, 40.0), (-10, 41)] {
            batch.append(Measurement(type: .heartRate, time: start + .seconds(Int64(second)), value: value))
            batch.append(Measurement(type: .oxygenSaturation, time: start + .seconds(Int64(second)), value: 90))
        }
        let device = WatchedMemory.Device(id: device, types: DataType.mask([.heartRate, .position]))
        var person = WatchedMemory.Person(types: .max, devices: [device])
        #expect(person.kept(batch, from: device).types == DataType.heartRate.bit)
        #expect(person.kept(batch, from: device).count == 2)
        person.pausesEndedAt = start - .seconds(15)
        #expect(person.kept(batch, from: device).count == 1)
        person.paused = [.health]
        #expect(person.kept(batch, from: device).isEmpty)
        let watched = WatchedMemory.Person(types: DataType.mask([.oxygenSaturation]), devices: [device])
        #expect(watched.kept(batch, from: .init(id: device.id, types: nil)).types == DataType.oxygenSaturation.bit)
    }

    @Test(
        "SOS-02a ING-14a: who is watched is known from memory, as the last upload was stored or the database was a minute ago"
    )
    func memory() async throws {
        let (account, device, other) = (account, device, UUID.random())
        try await IngestionTest.with { test in
            let memory = WatchedMemory()
            try await test.watch(account)
            try await test.watch(
                other, by: .track4run, measured: test.service.clock.now()...test.service.clock.now() + .seconds(60))
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 5, paused: ["position"]))
            try await test.change(
                2,
                Accounts.DeviceChange(deviceID: device, accountID: account, dataTypes: [.heartRate], isRemoved: false))
            try await test.change(
                3, Accounts.DeviceChange(deviceID: .random(), accountID: account, dataTypes: [], isRemoved: true))
            try await memory.keep(shard: 0, in: test.database, at: test.service.clock.now())
            let known = try #require(memory.person(account))
            #expect(known.paused == [.position])
            #expect(known.devices == [.init(id: device, types: DataType.heartRate.bit)])
            #expect(memory.count == 1)
            // Of another shard nothing is forgotten.
            memory.note(
                other, shard: 1, types: 1, paused: [], pausesEndedAt: nil, device: .init(id: device, types: nil))
            try await test.watch(account, false, version: 2)
            try await memory.keep(shard: 0, in: test.database, at: test.service.clock.now())
            #expect(memory.person(account) == nil && memory.person(other) != nil)
            await test.database.close()
            await #expect(throws: (any Error).self) {
                try await memory.keep(shard: 1, in: test.database, at: test.service.clock.now())
            }
            #expect(memory.person(other) != nil)
        }
    }

    // MARK: Tokens that have ended

    private func overdue(_ test: IngestionTest, ended ago: Duration) throws -> String {
        try test.service.tokens.token(
            .device, account: account, scopes: ["upload"], session: device, client: device.description,
            age: .seconds(900) + ago)
    }

    private struct Upload: Encodable {
        let upload: Int
        let sentAt: Timestamp
        let series: [SampleSeries]
    }

    private func upload(_ number: Int, _ test: IngestionTest, ended ago: Duration) async throws -> HTTPStatus {
        let body = try JSONEncoder().encode(
            Upload(upload: number, sentAt: test.service.clock.now(), series: [rates([60])]))
        return try await test.post("uploads", body, token: overdue(test, ended: ago)).status
    }

    @Test(
        "NFR-03b ACC-16a: while accounts is away a device of who is watched uploads with a token that has ended, nobody else's"
    )
    func overdueTokens() async throws {
        let account = account
        try await with(accountsHeard: .seconds(-10)) { test, _ in
            #expect(try await upload(1, test, ended: .seconds(60)) == .unauthorized)
            try await test.watch(account)
            // As everybody is who is watched, a minute after the watch began at the latest.
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            #expect(try await upload(2, test, ended: .seconds(60)) == .ok)
            #expect(try await upload(3, test, ended: .seconds(71 * 3600)) == .ok)
            #expect(try await upload(4, test, ended: .seconds(73 * 3600)) == .unauthorized)
            let mine = try await test.service.call(
                .get, "/ingestion/v1/me/latest", token: try overdue(test, ended: .seconds(60)))
            #expect(mine.status == .unauthorized)
            test.service.revocations.apply(.session(device), revokedAt: test.service.clock.now(), isLasting: true)
            #expect(try await upload(5, test, ended: .seconds(60)) == .unauthorized)
        }
        try await with { test, _ in
            try await test.watch(account)
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            #expect(try await upload(2, test, ended: .seconds(60)) == .unauthorized)
        }
    }

    @Test(
        "NFR-03b SOS-05a: accounts and the database away together: a token that has ended still brings the samples on")
    func bothAway() async throws {
        let account = account
        try await with(accountsHeard: .seconds(-10)) { test, judge in
            try await test.watch(account)
            _ = try await test.upload(1, [rates([61])], device: device, of: account)
            await test.database.close()
            #expect(try await upload(2, test, ended: .seconds(3600)) == .serviceUnavailable)
            try await judge.wait(1)
            #expect(judge.values == [[60]])
        }
    }
}
