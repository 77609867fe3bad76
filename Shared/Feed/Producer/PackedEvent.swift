internal import JSON
internal import Postgres
internal import Primitives

/// An event as it is stored: entity (16 bytes) ‖ version (8, network order) ‖ length of the kind (1) ‖ kind ‖ payload.
/// The view `feed_event` takes it apart for people.
enum PackedEvent {
    private static let headBytes = 25
    static let kindBytesMax = 255

    /// The kind is at most `kindBytesMax` bytes long.
    static func pack(_ event: FeedEvent) -> [UInt8] {
        let kind = event.kind.utf8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headBytes + kind.count + event.payload.bytes.count)
        bytes += event.entity.bytes
        withUnsafeBytes(of: event.version.bigEndian) { bytes += $0 }
        bytes.append(UInt8(kind.count))
        bytes += kind
        bytes += event.payload.bytes
        return bytes
    }

    static func unpack(
        _ bytes: [UInt8], lane: Int, position: Int64, recordedAt: Timestamp, age: Duration
    ) throws -> FeedRecord {
        let payloadStart = headBytes + (bytes.count >= headBytes ? Int(bytes[headBytes - 1]) : 0)
        guard bytes.count >= payloadStart, let entity = UUID(bytes: bytes[..<16]),
            let kind = String(validating: bytes[headBytes..<payloadStart], as: UTF8.self)
        else { throw PostgresError.usage("an event that is cut short is stored at \(lane)/\(position)") }
        let version = bytes[16..<24].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return FeedRecord(
            lane: lane, position: position, entity: entity, version: Int64(bitPattern: version), kind: kind,
            payload: try JSONRaw(validating: Array(bytes[payloadStart...])), recordedAt: recordedAt, age: age)
    }
}
