internal import Postgres
internal import Primitives
internal import Reactor
internal import Synchronization

/// Wakes the other replicas of a producer: `NOTIFY` outside the writers' transactions, at most one per interval, and
/// none while there is no other replica. A lost notification delays events until the next look at the table.
final class Replicas: Sendable {
    private struct State {
        var lastHeard: [UUID: Deadline] = [:]
        var isNewsPending = false
        var sending = RepeatedFailure()
    }

    /// Replicas that are remembered.
    private static let replicasMax = 256

    private let id = UUID.random()
    private let database: Database
    private let settings: FeedSettings
    private let news: [String: FeedNews]
    private let report: FeedReport
    private let state = Mutex(State())
    private let pending = EventCounter()

    init(
        database: Database, settings: FeedSettings, news: [String: FeedNews],
        report: FeedReport
    ) {
        self.database = database
        self.settings = settings
        self.news = news
        self.report = report
    }

    /// Call after something was published in this process.
    func published() {
        let wakes = state.withLock { state in
            guard !state.lastHeard.isEmpty, !state.isNewsPending else { return false }
            state.isNewsPending = true
            return true
        }
        if wakes { pending.raise() }
    }

    /// Number of other replicas that were heard recently.
    var count: Int { state.withLock { $0.lastHeard.count } }

    private var channel: String { "feed " + (database.configuration.searchPath.first ?? "") }

    /// Announces this replica regularly, until cancelled.
    func greet(on loop: EventLoop) async {
        while !Task.isCancelled {
            await send(.hello)
            let oldest = Deadline.now().advanced(by: settings.helloInterval * -3)
            state.withLock { $0.lastHeard = $0.lastHeard.filter { $0.value > oldest } }
            do { try await loop.sleep(for: settings.helloInterval) } catch { return }
        }
    }

    /// Notifies the others of news, until cancelled.
    func send(on loop: EventLoop) async {
        var seen: UInt64 = 0
        while !Task.isCancelled {
            seen = await pending.wait(after: seen)
            state.withLock { $0.isNewsPending = false }
            var feeds: [ReplicaMessage.News] = []
            for feed in news.values {
                let lanes = feed.takeUnshared()
                guard !lanes.isEmpty else { continue }
                feeds.append(.init(feed: feed.feed, lanes: lanes.map { .init(lane: $0.lane, position: $0.position) }))
            }
            if !feeds.isEmpty { await send(.news(feeds)) }
            do { try await loop.sleep(for: settings.notifyInterval) } catch { return }
        }
    }

    private func send(_ content: ReplicaMessage.Content) async {
        let text = ReplicaMessage(replica: id, content: content).text
        do throws(PostgresError) {
            try await database.execute("select pg_notify(\(channel), \(text))")
            state.withLock { $0.sending.succeeded() }
        } catch {
            guard error != .cancelled else { return }
            report(.upkeepFailed(error, isKnown: !state.withLock { $0.sending.isToBeTold() }))
        }
    }

    /// Receives the others' messages, until cancelled.
    func listen() async {
        for await notification in database.listen(to: [channel]) {
            switch notification {
            case .listening, .missed:
                for feed in news.values { feed.lookEverywhere() }
            case .message(_, let payload):
                if let message = ReplicaMessage(payload), message.replica != id { await hear(message) }
            }
        }
    }

    private func hear(_ message: ReplicaMessage) async {
        let isNew = state.withLock { state in
            guard state.lastHeard[message.replica] != nil || state.lastHeard.count < Self.replicasMax else {
                return false
            }
            return state.lastHeard.updateValue(.now(), forKey: message.replica) == nil
        }
        if isNew { await send(.hello) }
        guard case .news(let feeds) = message.content else { return }
        for part in feeds {
            guard let feed = news[part.feed] else { continue }
            if part.lanes.isEmpty {
                feed.lookEverywhere()
            } else {
                feed.heard(part.lanes.map { ($0.lane, $0.position) })
            }
        }
    }
}
