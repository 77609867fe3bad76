import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Mails third parties how much is new, at the frequency that each has chosen (SUB-02). Of whoever wants it and does not listen otherwise
/// what has arrived becomes events first. The message is added to the outbox by the transaction that moves the position, so that
/// each event is told of in one mail, whatever crashes and however many replicas there are.
struct MailingDesk: Sendable {
    /// Third parties looked after at the same time.
    private static let togetherMax = 32

    let store: MailingStore
    let writer: EventWriter
    let outbox: NoticeOutbox
    let baseURL: String
    let clock: any WallClock
    let messages: Log

    /// Looks after all that are due: one for which much is to be read holds up no other. Call on a loop.
    func round() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var count = 0
            while true {
                for turn in try await store.claim(max: Self.togetherMax - count) {
                    count += 1
                    group.addTask {
                        do { try await take(turn) } catch {
                            guard !Task.isCancelled else { return }
                            // The lease keeps it for a while, and then it is tried again.
                            messages.warning("a mail about news waits", ["error": Log.text(of: error)])
                        }
                    }
                }
                guard count > 0 else { return }
                try await group.next()
                count -= 1
                try Task.checkCancellation()
            }
        }
    }

    private func take(_ turn: MailingStore.Turn) async throws {
        try await writer.listening(turn.requester, to: .all) { news in
            guard let isCaughtUp = try await catchUp(turn, news) else { return }
            try await write(turn, isCaughtUp: isCaughtUp)
        }
    }

    /// Waits until what was stored at the beginning has become events: of those who upload all the time there is always more.
    /// Whether it has; `nil` when the turn is somebody else's by now.
    private func catchUp(_ turn: MailingStore.Turn, _ news: EventCounter) async throws -> Bool? {
        let end = Deadline.after(store.times.reading)
        var (rest, failed, renewal): (Set<UUID>?, Deadline?, Deadline) = (nil, nil, .after(store.times.lease / 3))
        while true {
            let seen = news.value
            try await writer.refresh(turn.requester, .all)
            if let unread = writer.unread(of: turn.requester) {
                let left = rest?.intersection(unread.requests) ?? unread.requests
                if left.isEmpty { return true }
                rest = left
                failed = left.isSubset(of: unread.failing) ? failed ?? .after(store.times.failing) : nil
            }
            if end.hasPassed || failed?.hasPassed == true { return false }
            if renewal.hasPassed {
                guard try await store.renew(turn) else { return nil }
                renewal = .after(store.times.lease / 3)
            }
            _ = await news.wait(after: seen, deadline: min(end, .after(store.times.look)))
            try Task.checkCancellation()
        }
    }

    private func write(_ turn: MailingStore.Turn, isCaughtUp: Bool) async throws {
        guard let news = try await store.news(turn, writer.log) else { return }
        let (store, outbox, now, baseURL) = (store, outbox, clock.now(), baseURL)
        try await store.database.transaction { transaction in
            guard try await store.hold(turn, in: transaction) else { return }
            if news.counts.isEmpty, !isCaughtUp { return try await store.postpone(turn, in: transaction) }
            if !news.counts.isEmpty {
                try await outbox.add([.news(news, to: turn.requester, baseURL)], at: now, in: transaction)
            }
            try await store.finish(turn, news, in: transaction)
        }
        outbox.wake()
    }
}
