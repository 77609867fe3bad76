public import Postgres
public import Primitives

/// The people of whom something is sealed, for services that make keys when they are first needed.
public protocol SealedSubjects: Sendable {
    /// Those among some people; asked in a transaction by who has one, so that nobody waits for a second connection.
    func among(_ accounts: Set<UUID>, in transaction: Transaction?) async throws -> Set<UUID>

    /// Tells the operator of people whose keys the key store has lost.
    func report(_ accounts: Set<UUID>)
}
