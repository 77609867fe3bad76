import Primitives
import Security
import Service

/// What the wearer is told beside what happens in one place only.
extension Notice {
    /// The monitor is blind (SOS-11).
    static func sensorLost(_ account: UUID, since: Timestamp) -> Notice {
        Notice(
            id: .named(Array("blind \(since)".utf8), in: account), to: account, template: "sensor-lost",
            values: ["time": since.description])
    }
}

extension NoticeTable {
    static let dispatcher = NoticeTable(account: "account", hasEmail: true)
}
