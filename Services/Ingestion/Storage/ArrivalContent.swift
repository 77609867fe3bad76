import Primitives

/// What an arrival holds, in one form before it is sealed:
///
/// ```
/// content  = version (1) received:zigzag sent:zigzag batch
/// received = when it was received, in microseconds since 2026
/// sent     = when it was sent, after that, in microseconds
/// batch    = SampleCodec's form
/// ```
struct ArrivalContent: Sendable, Equatable {
    private static let version: UInt8 = 1
    /// 1 January 2026, 00:00 UTC, in microseconds since 1970.
    private static let beginning: Int64 = 1_767_225_600_000_000

    let receivedAt: Timestamp
    /// By the device's clock.
    let sentAt: Timestamp
    let batch: SampleBatch

    var encoded: [UInt8] {
        var writer = ColumnWriter()
        writer.byte(Self.version)
        writer.zigzag(receivedAt.microseconds &- Self.beginning)
        writer.zigzag(sentAt.microseconds &- receivedAt.microseconds)
        return writer.bytes + SampleCodec.encode(batch)
    }
}

extension ArrivalContent {
    init(decoding bytes: [UInt8]) throws(SampleCodecError) {
        let head: Result<(Int64, Int64, Int), SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) {
                var reader = ColumnReader(bytes)
                let version = try reader.byte()
                guard version == Self.version else { throw .version(version) }
                return .success((try reader.zigzag(), try reader.zigzag(), reader.position))
            } catch { return .failure(error) }
        }
        let (received, sent, count) = try head.get()
        receivedAt = Timestamp(microseconds: received &+ Self.beginning)
        sentAt = Timestamp(microseconds: receivedAt.microseconds &+ sent)
        batch = try SampleCodec.decode(Array(bytes[count...]))
    }
}
