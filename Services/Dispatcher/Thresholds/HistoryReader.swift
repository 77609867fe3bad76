import Contracts
import Domain
import Primitives
import RPC
import Reactor
import Synchronization

/// Reads parts of a watched person's last fortnight from ingestion's storage, by the call that reads gaps of the live feed
/// (`ReadGap`): it is for people whom this service watches, and of the time of the watch only. Twelve windows of two hours, 28
/// hours apart, so that each hour of the day has its turn. Nothing of it touches alarms: few at a time, with a limit.
final class HistoryReader: Sendable {
    static let windows = 12
    static let windowLength = Duration.seconds(2 * 3600)
    static let windowDistance = Duration.seconds(28 * 3600)
    /// People who are read at the same time.
    static let peopleMax = 2
    private static let time = Duration.seconds(10)
    private static let types = ReadingHistory.types + [.activity, .motion]

    private let ingestion: any RPCCaller
    private let running = Mutex(0)

    init(ingestion: any RPCCaller) { self.ingestion = ingestion }

    /// `nil` when others are being read. Errors: those of the call.
    func read(_ account: UUID, at now: Timestamp) async throws(RPCError) -> ReadingHistory? {
        let isFree = running.withLock { running in
            guard running < Self.peopleMax else { return false }
            running += 1
            return true
        }
        guard isFree else { return nil }
        defer { running.withLock { $0 -= 1 } }
        let deadline = Deadline.after(Self.time)
        var history = ReadingHistory()
        for window in 0..<Self.windows {
            let end = now - Self.windowDistance * window
            let answer = try await ingestion.call(
                Ingestion.ReadGap.self,
                .init(
                    accountID: account, types: Self.types, receivedFrom: end - Self.windowLength, receivedTo: end),
                deadline: deadline)
            for upload in answer.uploads {
                let age = Duration.milliseconds(upload.ageMilliseconds)
                if let seen = Observation(upload.samples, now: now, heldFor: age) { history.add(seen) }
            }
        }
        return history
    }
}
