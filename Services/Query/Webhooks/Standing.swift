import Contracts
import Primitives
import RPC
import Reactor
import Synchronization

/// Whether third parties' accounts are in order: there, and not suspended. Nothing is sent to others, nor while accounts has
/// not said so for longer than an answer holds.
final class Standing: Sendable {
    struct NotInOrder: Error {}

    private struct Known {
        let isGood: Bool
        let until: Deadline
    }

    private let accounts: any RPCCaller
    private let validFor: Duration
    private let known = Mutex<[UUID: Known]>([:])
    /// Raised when something new is known.
    let news = EventCounter()

    init(accounts: any RPCCaller, validFor: Duration) {
        self.accounts = accounts
        self.validFor = validFor
    }

    func isGood(_ account: UUID) -> Bool {
        known.withLock { $0[account].map { $0.isGood && !$0.until.hasPassed } ?? false }
    }

    /// Whether accounts was asked about it.
    func isKnown(_ account: UUID) -> Bool { known.withLock { $0[account] != nil } }

    func check(_ account: UUID) throws(NotInOrder) {
        guard isGood(account) else { throw NotInOrder() }
    }

    /// Asks about all of these, and forgets the others.
    func refresh(_ all: Set<UUID>) async throws(RPCError) {
        var rest = Array(all)[...]
        var fresh: [UUID: Known] = [:]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Accounts.Active.accountsMax))
            rest = rest.dropFirst(part.count)
            let until = Deadline.after(validFor)
            let good = Set(try await accounts.call(Accounts.Active.self, .init(accountIDs: part)).accountIDs)
            for account in part { fresh[account] = Known(isGood: good.contains(account), until: until) }
        }
        known.withLock { $0 = fresh }
        news.raise()
    }
}
