import Contracts
import Feed
import JSON
public import RPC
import Reactor
public import Telemetry

/// Keeps `Revocations` up to date from the feed `accounts.revocations` (ACC-16), as an ephemeral reader. A process that
/// starts, or has lost its position, gets the recent revocations as a snapshot.
public struct RevocationFeed: Sendable {
    /// How long accounts may hold back an answer: well below `Revocations.silenceMax`, so that two in a row may be late.
    private static let wait = Duration.milliseconds(150)
    /// How old accounts' knowledge of what its other replicas have published may be.
    private static let freshness = Duration.milliseconds(150)
    /// With an answer on its way for `wait`, the one before it as old as that, its knowledge, and this: about half of
    /// `Revocations.silenceMax`, the rest being for stalls.
    private static let noteInterval = Duration.milliseconds(50)

    let accounts: any RPCCaller
    let revocations: Revocations
    let observer: Observer

    public init(accounts: any RPCCaller, revocations: Revocations, observer: Observer) {
        self.accounts = accounts
        self.revocations = revocations
        self.observer = observer
    }

    /// Until the task is cancelled. Call on a loop.
    public func follow() async {
        let reader = FeedReader(
            feed: Accounts.revocationsFeed, from: accounts, wait: Self.wait, freshness: Self.freshness,
            observer: observer,
            update: { update, _ in apply(update) })
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

    /// Earlier revocations stay valid when a snapshot begins.
    private func apply(_ update: FeedReader.Update) {
        switch update {
        case .snapshotBegan, .snapshotEnded: break
        case .entities(let entities): for entity in entities { apply(entity.kind, entity.payload) }
        case .changes(let records): for record in records { apply(record.kind, record.payload) }
        }
    }

    private func apply(_ kind: String, _ payload: JSONRaw) {
        do throws(JSONError) {
            guard kind == "revoked" else {
                throw JSONError(kind: .value, path: "$", message: "the kind \(kind) is not known")
            }
            let revocation = try JSONDecoder().decode(Accounts.Revocation.self, from: payload.bytes)
            switch revocation.kind {
            case .session:
                revocations.apply(
                    .session(revocation.id), revokedAt: revocation.revokedAt, isLasting: revocation.isOfDevice == true)
            case .account: revocations.apply(.account(revocation.id), revokedAt: revocation.revokedAt, isLasting: true)
            }
        } catch {
            // Third parties are refused rather than a revocation missed.
            revocations.missed()
            observer.log.error("a revocation could not be read", ["error": .string(error.description)])
        }
    }
}
