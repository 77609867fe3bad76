import HTTP
import JSON

/// One Server-Sent Event, encoded once for all spectators.
struct LiveMessage: Sendable {
    let sequence: UInt64
    let bytes: [UInt8]

    /// Fails when `value` cannot be written as JSON.
    init(_ event: String, _ value: some Encodable, epoch: String, sequence: UInt64) throws(JSONError) {
        self.sequence = sequence
        bytes = ServerSentEvent.encode(event, id: "\(epoch).\(sequence)", data: try JSONEncoder().encode(value))
    }

    /// The sequence number of an id of this epoch; `nil` for any other.
    static func sequence(of id: String, epoch: String) -> UInt64? {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == epoch else { return nil }
        return UInt64(parts[1])
    }
}
