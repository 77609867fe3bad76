import Contracts
import Domain
import Feed
import JSON
import Primitives
import ProcessTesting
import RPC
import Reactor
import Synchronization

/// The bench in the place of ingestion: its live feed has as many uploads as the dispatcher reads, of people who are well, in turn.
final class PlayedIngestion: Sendable {
    /// What devices send.
    struct Upload: Sendable {
        /// Of each of three vital signs, within a second.
        var readings = 3
        var hasPosition = false

        var samples: Int { readings * 3 }
    }

    private static let epoch = "bench"
    private static let pollMax = Duration.milliseconds(100)

    private struct State {
        /// Events up to here are there.
        var end: Int64 = 0
        /// Up to where was read.
        var read: Int64 = 0
        var upload = Upload()
        /// Up to where the dispatcher has committed.
        var acknowledged: Int64 = 0
    }

    let accounts: [UUID]
    private let began = Timestamp.now()
    private let state = Mutex(State())

    private init(_ accounts: [UUID]) {
        self.accounts = accounts
    }

    var end: Int64 { state.withLock { $0.end } }
    var acknowledged: Int64 { state.withLock { $0.acknowledged } }

    /// So many events more.
    func add(_ events: Int, _ upload: Upload) {
        state.withLock { ($0.end, $0.upload) = ($0.end + Int64(events), upload) }
    }

    /// Nothing comes after what was read up to now.
    func stop() { state.withLock { $0.end = $0.read } }

    /// Runs `body` beside it. Call on a loop.
    static func with<R: Sendable>(
        _ accounts: [UUID], port: UInt16, on loops: EventLoopGroup, _ body: (PlayedIngestion) async throws -> R
    ) async throws -> R {
        let ingestion = PlayedIngestion(accounts)
        var router = RPCRouter()
        router.register(FeedRead.self, allow: ["dispatcher"]) { params, _ in try await ingestion.read(params) }
        router.register(FeedSnapshot.self, allow: ["dispatcher"]) { _, _ in
            FeedSnapshot.Result(entities: [], next: nil, cursor: ingestion.cursor(0))
        }
        let tls = try ServiceProgram.certificates()
        let server = try await RPCServer.start(
            at: Endpoint(host: "127.0.0.1", port: port), loops: loops,
            tls: try .server(
                certificateFile: "\(tls)/ingestion.pem", keyFile: "\(tls)/ingestion.key",
                clientAuthorityFile: "\(tls)/ca.pem"), router: router,
            configuration: RPCServerConfiguration(clientNames: ["dispatcher"]))
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(ingestion)) } catch { outcome = .failure(error) }
        await server.stop(grace: .zero)
        return try outcome.get()
    }

    private func cursor(_ position: Int64) -> FeedCursor {
        FeedCursor(epoch: Self.epoch, positions: [position])
    }

    private func read(_ params: FeedRead.Params) async throws -> FeedRead.Result {
        guard params.feed == Ingestion.liveFeed else { throw RPCError(.notFound) }
        if let known = params.acknowledged { state.withLock { $0.acknowledged = max($0.acknowledged, known[0]) } }
        let deadline = Deadline.after(min(Self.pollMax, .milliseconds(Int64(params.waitMilliseconds))))
        var position = params.cursor[0]
        var events: [FeedRecord] = []
        while true {
            let (end, upload) = state.withLock { ($0.end, $0.upload) }
            while position < end, events.count < params.limit {
                position += 1
                let account = accounts[Int(position) % accounts.count]
                guard params.parts?.contains(account) ?? true else { continue }
                events.append(try event(position, of: account, upload))
            }
            guard events.isEmpty, !deadline.hasPassed else { break }
            try await EventLoop.current?.sleep(for: .milliseconds(5))
        }
        state.withLock { [position] in $0.read = max($0.read, position) }
        var result = FeedRead.Result(events: events, cursor: cursor(position), more: position < end)
        result.settled = FeedSettled(until: .now(), age: .zero)
        return result
    }

    /// Each person's uploads are a second apart by the device's clock, however fast they are read.
    private func event(_ position: Int64, of account: UUID, _ upload: Upload) throws -> FeedRecord {
        let round = position / Int64(accounts.count)
        let sent = began + .seconds(round)
        let step = Int64(1000 / upload.readings)
        let offsets = (0..<upload.readings).map { Int64($0) * step }
        let first = sent - .milliseconds(offsets.last ?? 0)
        let wave = Double((position + round) % 9)
        let values: [(type: DataType, value: Double)] = [
            (.heartRate, 64 + wave), (.oxygenSaturation, 97), (.respirationRate, 14 + (wave / 4).rounded()),
        ]
        var series = values.map { type, value in
            SampleSeries(
                type: type, start: first, offsets: offsets, values: offsets.indices.map { value + Double($0 % 2) })
        }
        if upload.hasPosition {
            series.append(
                SampleSeries(
                    type: .position, start: sent, offsets: [0], latitudes: [45.4642 + wave / 1e5], longitudes: [9.1903],
                    altitudes: [122], accuracies: [8]))
        }
        let live = Ingestion.LiveSamples(
            accountID: account, deviceID: UUID(high: account.high, low: ~account.low), receivedAt: sent, sentAt: sent,
            series: series)
        return FeedRecord(
            lane: 0, position: position, entity: account, version: round + 1, kind: Ingestion.liveSamplesKind,
            payload: try JSONRaw(encoding: live), recordedAt: .now())
    }
}
