import LoadGenerator
import Primitives
import Reactor
import Synchronization

/// Uploads at fixed times beside emergencies, at three quarters of what there are at most, which the same run has measured before.
final class UploadsBeside: Sendable {
    enum Senders: Sendable {
        /// 20,000 people who are not watched.
        case strangers
        /// Those of the bed who are watched, each of them once a second if the maximum allows it.
        case watched(Range<Int>)

        var count: Int {
            switch self {
            case .strangers: UploadsBench.people
            case .watched(let range): range.count
            }
        }

        fileprivate func runner(_ bed: LoadBed, _ people: [(account: UUID, device: UUID)]) throws -> LoadRunner {
            let source =
                switch self {
                case .strangers:
                    UploadSource(
                        .live, of: 0..<count, tokens: try bed.tokens(.device, count: count), host: bed.authority)
                case .watched(let range):
                    UploadSource(.live, of: range, tokens: try bed.tokens(of: people), host: bed.authority)
                }
            return try bed.runner(source, connections: UploadsBench.connections)
        }
    }

    /// A second of the load.
    private struct Piece {
        let time: ClosedRange<Int64>
        let isCalm: Bool
    }

    private struct State {
        var pieces: [Piece] = []
        /// It is to end …
        var isOver = false
        /// … or has ended.
        var hasEnded = false
    }

    static let share = 0.75
    private static let maxSeconds = 8.0
    /// Seconds until the load runs evenly.
    private static let settling = 5
    /// The host disturbs an emergency when it disturbs this time from when its upload was due. Not until it is handed over:
    /// the slower an emergency, the sooner it would be left out.
    private static let disturbance: Int64 = 1_000_000_000

    /// Uploads per second.
    let rate: Double
    private let state = Mutex(State())

    private init(rate: Double) { self.rate = rate }

    /// What a run came to.
    struct Outcome<R: Sendable>: Sendable {
        let most: LoadFigures
        let rate: Double
        let load: CalmLoad
        let result: R

        func note(_ report: Report) {
            report.note("uploads, at most: \(most.text)")
            report.note("uploads beside, \(rounded(rate)) due each second: \(load.text)")
        }

        /// Whether the load was what it should be.
        func check(_ report: inout Report) {
            let all = Double(load.uploads + load.unsent)
            report.add(
                "uploads beside for which no connection was free", 100 * Double(load.unsent) / max(all, 1), "%",
                atMost: 1)
        }
    }

    /// Measures the maximum, waits until all of it is dealt with, and runs `body` beside the load. Call on a loop.
    static func with<R: Sendable>(
        _ bed: SOSBed, _ senders: Senders, _ body: (UploadsBeside) async throws -> R
    ) async throws -> Outcome<R> {
        let people = bed.people
        let most = try await bed.ingestion.load { bed in
            let runner = try senders.runner(bed, people)
            _ = try bed.measured(runner, .closed, for: .requests(senders.count))
            return try bed.measured(runner, .closed, for: .seconds(maxSeconds))
        }
        try await ServiceTimes.waitForQuiet(bed.services)
        let rate =
            switch senders {
            case .strangers: share * most.result.rate
            case .watched: min(Double(senders.count), share * most.result.rate)
            }
        let beside = UploadsBeside(rate: rate)
        async let load = beside.run(bed, senders)
        let outcome: Result<R, any Error>
        do {
            try await beside.waitUntilEven()
            outcome = .success(try await body(beside))
        } catch { outcome = .failure(error) }
        beside.state.withLock { $0.isOver = true }
        // An error of its own explains the other one.
        let done = try await load
        return Outcome(most: most, rate: rate, load: done, result: try outcome.get())
    }

    private func run(_ bed: SOSBed, _ senders: Senders) async throws -> CalmLoad {
        defer { state.withLock { $0.hasEnded = true } }
        let people = bed.people
        return try await bed.ingestion.load { [self] bed in
            defer { state.withLock { $0.hasEnded = true } }
            let runner = try senders.runner(bed, people)
            // So that all tokens were checked.
            _ = try bed.measured(runner, .closed, for: .requests(senders.count))
            var load = CalmLoad(rate: rate)
            while !state.withLock({ $0.isOver }) {
                let from = monotonicNanoseconds()
                let isCalm = try load.run(runner, bed)
                let piece = Piece(time: from...monotonicNanoseconds(), isCalm: isCalm)
                state.withLock { $0.pieces.append(piece) }
            }
            return load
        }
    }

    private func waitUntilEven() async throws {
        while state.withLock({ $0.pieces.count < Self.settling }) {
            try check()
            try await EventLoop.current?.sleep(for: .milliseconds(100))
        }
    }

    /// Errors: the load is not there any more.
    func check() throws {
        if state.withLock({ $0.hasEnded }) { throw BenchError.failed("the uploads beside the emergencies have ended") }
    }

    /// How many of these emergencies were not disturbed by the machine's host.
    func countable(_ emergencies: [Emergency]) -> Int {
        let disturbed = disturbed
        return emergencies.reduce(0) { $0 + (Self.counts($1, disturbed) ? 1 : 0) }
    }

    /// Says which emergencies were not.
    var counting: (Emergency) -> Bool {
        let disturbed = disturbed
        return { Self.counts($0, disturbed) }
    }

    private var disturbed: [ClosedRange<Int64>] {
        state.withLock { $0.pieces.compactMap { $0.isCalm ? nil : $0.time } }
    }

    private static func counts(_ emergency: Emergency, _ disturbed: [ClosedRange<Int64>]) -> Bool {
        let time = emergency.due...emergency.due + disturbance
        return !disturbed.contains { $0.overlaps(time) }
    }
}
