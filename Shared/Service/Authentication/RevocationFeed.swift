import Contracts
import Feed
import JSON
import RPC
import Reactor

/// Keeps `Revocations` up to date from the feed `accounts.changes` (ACC-16): a cache's reader, which the accounts service
/// does not wait for.
struct RevocationFeed: Sendable {
    /// How long accounts may hold back an answer: well below `Revocations.silenceMax`, so that two in a row may be late.
    private static let wait = Duration.milliseconds(300)
    private static let noteInterval = Duration.milliseconds(100)

    let accounts: any RPCCaller
    let revocations: Revocations
    let log: Log

    var task: BackgroundTask {
        BackgroundTask("revocations") {
            let reader = FeedReader(
                feed: Accounts.changesFeed, from: accounts, wait: Self.wait,
                report: { incident in
                    log.debug("revocation feed", ["incident": .string(String(describing: incident))])
                },
                update: { apply($0) })
            guard let loop = EventLoop.current else { return }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await reader.run() }
                group.addTask {
                    while (try? await loop.sleep(for: Self.noteInterval)) != nil {
                        if let age = reader.age { revocations.heard(at: Deadline.now().advanced(by: .zero - age)) }
                    }
                }
            }
        }
    }

    /// A snapshot tells nothing: what it leaves out was revoked before it, and such tokens have no account behind them.
    private func apply(_ update: FeedReader.Update) {
        guard case .changes(let records) = update else { return }
        for record in records {
            do {
                switch record.kind {
                case "session-ended":
                    let ended = try decode(Accounts.SessionEnded.self, record)
                    revocations.apply(.session(ended.sessionID), revokedAt: record.recordedAt)
                case "account":
                    let change = try decode(Accounts.AccountChange.self, record)
                    if change.state == .erased {
                        revocations.apply(.account(change.accountID), revokedAt: record.recordedAt)
                    }
                default: break
                }
            } catch {
                // Rather refuse third parties than miss a revocation: nothing is noted as heard while this repeats.
                log.error("a revocation could not be read", ["error": .string(error.description)])
            }
        }
    }

    private func decode<T: Decodable>(_ type: T.Type, _ record: FeedRecord) throws(JSONError) -> T {
        try JSONDecoder().decode(type, from: record.payload.bytes)
    }
}
