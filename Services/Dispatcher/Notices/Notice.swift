import Primitives
import Security

/// A message for a wearer's inbox, by the templates of the accounts service.
struct Notice: Sendable {
    var id: UUID
    var account: UUID
    var template: String
    var values: [String: String]
    var email: Bool
    var at: Timestamp

    init(
        id: UUID = .random(), account: UUID, template: String, values: [String: String] = [:], email: Bool = false,
        at: Timestamp
    ) {
        self.id = id
        self.account = account
        self.template = template
        self.values = values
        self.email = email
        self.at = at
    }
}

extension Notice {
    /// The monitor is blind (SOS-11).
    static func sensorLost(_ account: UUID, since: Timestamp, at now: Timestamp) -> Notice {
        Notice(
            id: .named(Array("blind \(since)".utf8), in: account), account: account, template: "sensor-lost",
            values: ["time": since.description], email: true, at: now)
    }
}
