import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Security

/// The events that this service publishes, each in the transaction of the change.
enum AccountFeeds {
    /// The namespace of entities made from subject numbers.
    private static let subjects = UUID.named(Array("subjects.accounts.trackme".utf8), in: .dnsNamespace)

    // MARK: accounts.changes

    static let accountKind = Accounts.accountChangeKind

    /// An event without the person's details, which `ChangeDetails` adds.
    static func account(_ change: Accounts.AccountChange, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.changesFeed, entity: change.accountID, version: version, kind: accountKind, encoding: change)
    }

    static func device(_ change: Accounts.DeviceChange, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.changesFeed, entity: change.accountID, version: version, kind: "device", encoding: change)
    }

    /// Announces that what others know of an individual has changed. The account must be confirmed.
    static func publishChange(
        of account: UUID, version: Int64, store: Store, in transaction: Transaction
    ) async throws {
        let subject = try await transaction.queryOne(
            "select subject from person where account = \(account)", as: Int32?.self)
        let change = Accounts.AccountChange(
            accountID: account, kind: .individual, subject: subject ?? nil,
            paused: try await DataCollection.paused(of: [account], in: transaction)[account])
        try await store.feeds.publish([try Self.account(change, version: version)], in: transaction)
    }

    // MARK: accounts.erasures

    static func erasure(_ erasure: Accounts.Erasure, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.erasuresFeed, entity: erasure.accountID, version: version, kind: Accounts.erasureKind,
            encoding: erasure)
    }

    /// As it stands in table `erasure`.
    static func storedErasure(
        _ id: UUID, _ account: UUID, _ kind: String, _ scope: String, _ requestedAt: Timestamp
    ) throws(StoredValueError) -> Accounts.Erasure {
        guard let scope = Accounts.Erasure.Scope(rawValue: scope) else {
            throw StoredValueError(column: "erasure.scope")
        }
        return Accounts.Erasure(
            erasureID: id, accountID: account, kind: try AccountKind.stored(kind), scope: scope,
            requestedAt: requestedAt)
    }

    // MARK: accounts.revocations

    static let revokedKind = "revoked"

    static func revocation(_ revocation: Accounts.Revocation) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.revocationsFeed, entity: revocation.id, version: 1, kind: revokedKind, encoding: revocation)
    }

    // MARK: accounts.profiles

    /// The entity is derived from the subject number, which the payload has as well.
    static func profile(_ profile: Accounts.CoarseProfile, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.profilesFeed, entity: entity(subject: profile.subject), version: version, kind: "profile",
            encoding: profile)
    }

    static let erasedSubjectKind = "erased"

    struct ErasedSubject: Encodable { let subject: Int32 }

    static func erasedSubject(_ subject: Int32, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.profilesFeed, entity: entity(subject: subject), version: version, kind: erasedSubjectKind,
            encoding: ErasedSubject(subject: subject))
    }

    static func entity(subject: Int32) -> UUID { .named(Array(String(subject).utf8), in: subjects) }
}
