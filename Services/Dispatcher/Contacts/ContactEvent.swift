import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// What contacts are told of beside incidents. **The entry point for rules that concern the contacts only** (SOS-09c): the transaction
/// that stores what the rule has seen runs `insert`, and after its commit `ContactDesk.wake` is called; everything else happens
/// later and elsewhere, so that it delays no alarm.
struct ContactEvent: Sendable, Equatable {
    enum Kind: String, Sendable, PostgresCodable {
        case asked, rule, late
        case sensorLost = "sensor-lost"
    }

    /// Sealed with the service's key.
    struct Content: Sendable, Equatable, Codable {
        var happenedAt: Timestamp
        /// The name of a data type, or of a rule.
        var cause: String?
        var position: StoredFix?
    }

    static let column = SealedColumn("contact_event", "content", location: location)
    private static let location = "dispatcher.contact_event.content"

    let id: UUID
    let account: UUID
    let kind: Kind
    let content: Content
    /// It is told so much later.
    let delay: Duration

    private init(_ kind: Kind, _ name: String, of account: UUID, _ content: Content, delay: Duration = .zero) {
        // The same event, seen again, is the same.
        id = .named(Array("contacts \(kind.rawValue) \(name)".utf8), in: account)
        self.account = account
        self.kind = kind
        self.content = content
        self.delay = delay
    }

    /// A rule that concerns the contacts only has found something (SOS-09c). `fix` is the last known position.
    static func rule(_ finding: Finding, of account: UUID, at fix: StoredFix?) -> ContactEvent {
        .init(
            .rule, "\(finding.type.name) \(finding.origin.time)", of: account,
            Content(happenedAt: finding.firstCriticalAt, cause: finding.type.name, position: fix))
    }

    /// A critical state that was read too late for a call, or is over.
    static func late(_ finding: Finding, of account: UUID) -> ContactEvent {
        .init(
            .late, "\(finding.type.name) \(finding.origin.time)", of: account,
            Content(happenedAt: finding.firstCriticalAt, cause: finding.type.name))
    }

    /// No vital sign can be seen since then (SOS-11): told if it stays so, since most sensors come back by themselves.
    static func sensorLost(since: Timestamp, of account: UUID, _ times: ContactTimes = ContactTimes()) -> ContactEvent {
        .init(.sensorLost, "\(since)", of: account, Content(happenedAt: since), delay: times.sensorLost)
    }

    /// A statement that stores them; what is stored already stays as it is.
    static func insert(_ events: [ContactEvent], _ cipher: FieldCipher) throws(JSONError) -> SQL {
        var contents: [[UInt8]] = []
        for event in events {
            contents.append(
                cipher.seal(try JSONEncoder().encode(event.content), at: FieldLocation(location, row: event.id)))
        }
        return """
            insert into contact_event (id, account, kind, content, created_at, due_at)
            select e.id, e.account, e.kind, e.content, clock_timestamp(),
              clock_timestamp() + make_interval(secs => e.delay)
            from unnest(\(events.map(\.id)), \(events.map(\.account)), \(events.map(\.kind.rawValue)), \(contents),
              \(events.map(\.delay.seconds))) as e (id, account, kind, content, delay)
            on conflict on constraint contact_event_key do nothing
            """
    }

    static func open(_ sealed: [UInt8], of event: UUID, _ cipher: FieldCipher) throws -> Content {
        try JSONDecoder().decode(Content.self, from: try cipher.open(sealed, at: FieldLocation(location, row: event)))
    }
}
