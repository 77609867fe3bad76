import Contracts
import Domain
import Feed
import JSON
import Primitives
import Security

/// The events that this service publishes, each in the transaction of the change.
enum AccountFeeds {
    /// The namespace of entities made from subject numbers.
    private static let subjects = UUID.named(Array("subjects.accounts.trackme".utf8), in: .dnsNamespace)

    // MARK: accounts.changes

    static func account(_ change: Accounts.AccountChange, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.changesFeed, entity: change.accountID, version: version, kind: "account", encoding: change)
    }

    static func device(_ change: Accounts.DeviceChange, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.changesFeed, entity: change.accountID, version: version, kind: "device", encoding: change)
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

    static func entity(subject: Int32) -> UUID { .named(Array(String(subject).utf8), in: subjects) }
}
