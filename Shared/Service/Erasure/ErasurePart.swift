public import Contracts
public import Postgres

/// A service's part of an erasure (ACC-12).
public protocol ErasurePart: Sendable {
    /// Erases what the service has of the account, or of what was collected, in the transaction that notes that it did; the lines
    /// of the receipt. An erasure that does not concern the service gives none. Called once more `ErasureFollower.sweepPause`
    /// later, for what was on its way meanwhile.
    func erase(
        _ erasure: Accounts.Erasure, in transaction: Transaction
    ) async throws -> [Accounts.ErasedItem]

    /// Locks what `erase` is to change of several erasures, before it is called for each of them: in the order in which everybody
    /// else does.
    func lock(_ erasures: [Accounts.Erasure], in transaction: Transaction) async throws

    /// Called after the commit: drops what is in memory. Not called when a crash came first.
    func erased(_ erasures: [Accounts.Erasure]) async
}

extension ErasurePart {
    public func lock(_ erasures: [Accounts.Erasure], in transaction: Transaction) async throws {}
    public func erased(_ erasures: [Accounts.Erasure]) async {}
}
