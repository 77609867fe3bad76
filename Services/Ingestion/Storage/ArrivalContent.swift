import Primitives

/// What an arrival holds, in one form before it is sealed:
///
/// ```
/// content  = form:byte received:zigzag sent:zigzag batch
/// form     = 1 | 2 it may repeat samples that came before
/// received = when it was received, in microseconds since 2026
/// sent     = when it was sent, after that, in microseconds
/// batch    = SampleCodec's form
/// ```
struct ArrivalContent: Sendable, Equatable {
    private static let form: UInt8 = 1
    private static let repeatingForm: UInt8 = 2
    /// 1 January 2026, 00:00 UTC, in microseconds since 1970.
    private static let beginning: Int64 = 1_767_225_600_000_000

    let receivedAt: Timestamp
    /// By the device's clock.
    let sentAt: Timestamp
    let batch: SampleBatch
    /// Some of its samples may have come from the same source before. Those are kept with it until it is sealed, and delivered
    /// once (`FirstArrivals`).
    let mayRepeat: Bool

    var encoded: [UInt8] {
        var writer = ColumnWriter()
        writer.byte(mayRepeat ? Self.repeatingForm : Self.form)
        writer.zigzag(receivedAt.microseconds &- Self.beginning)
        writer.zigzag(sentAt.microseconds &- receivedAt.microseconds)
        return writer.bytes + SampleCodec.encode(batch)
    }
}

extension ArrivalContent {
    init(decoding bytes: [UInt8]) throws(SampleCodecError) {
        let head: Result<(UInt8, Int64, Int64, Int), SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) {
                var reader = ColumnReader(bytes)
                let form = try reader.byte()
                guard form == Self.form || form == Self.repeatingForm else { throw .version(form) }
                return .success((form, try reader.zigzag(), try reader.zigzag(), reader.position))
            } catch { return .failure(error) }
        }
        let (form, received, sent, count) = try head.get()
        receivedAt = Timestamp(microseconds: received &+ Self.beginning)
        sentAt = Timestamp(microseconds: receivedAt.microseconds &+ sent)
        batch = try SampleCodec.decode(Array(bytes[count...]))
        mayRepeat = form == Self.repeatingForm
    }
}
