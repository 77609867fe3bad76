import Contracts
import Domain
import Feed
import JSON
import Primitives
import Security

/// The events that this service publishes, in the transactions that they report.
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

    /// `session` is what tokens carry as `sid`: a session, a device or an application.
    static func sessionEnded(_ session: UUID, of account: UUID, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.changesFeed, entity: account, version: version, kind: "session-ended",
            encoding: Accounts.SessionEnded(sessionID: session))
    }

    // MARK: accounts.profiles

    /// The entity says nothing beyond the subject number that the payload has.
    static func profile(_ profile: Accounts.CoarseProfile, version: Int64) throws(JSONError) -> FeedEvent {
        try FeedEvent(
            feed: Accounts.profilesFeed, entity: entity(subject: profile.subject), version: version, kind: "profile",
            encoding: profile)
    }

    static func entity(subject: Int32) -> UUID { .named(Array(String(subject).utf8), in: subjects) }
}
