import Domain
import Primitives

/// An arrival that was stored before, and how it was validated then.
struct EarlierArrival: Sendable, Equatable {
    let samples: Int
    let receivedAt: Timestamp
    let sentAt: Timestamp
    let isByDeviceClock: Bool
    let dropped: DroppedTypes

    /// What was added to its times.
    var correction: Duration {
        isByDeviceClock ? SampleClock.correction(sentAt: sentAt, receivedAt: receivedAt) : .zero
    }

    var clock: SampleClock {
        isByDeviceClock ? SampleClock(now: receivedAt, sentAt: sentAt + correction) : SampleClock(now: receivedAt)
    }
}

/// As it is kept with the arrival's number or content: a plain upload only as the number of its samples.
///
/// ```
/// answer = flags:byte samples:varint sent:zigzag withheld:varint
/// flags  = 1 judged by the device's clock | 2 positions were paused | 4 health was paused
/// sent   = when it was sent, after it was received, in microseconds
/// ```
extension EarlierArrival {
    private static let isByDeviceClockFlag: UInt8 = 1

    private static func flag(_ group: DataType.Group) -> UInt8 {
        switch group {
        case .position: 2
        case .health: 4
        }
    }

    init(_ arrival: NewArrival) {
        self.init(
            samples: arrival.batch.count, receivedAt: arrival.receivedAt, sentAt: arrival.sentAt,
            isByDeviceClock: arrival.isByDeviceClock, dropped: arrival.dropped)
    }

    /// The number of samples, where nothing else has to be known.
    var plainSamples: Int16? {
        guard !isByDeviceClock, dropped == DroppedTypes() else { return nil }
        return Int16(exactly: samples)
    }

    var encoded: [UInt8] {
        var flags = isByDeviceClock ? Self.isByDeviceClockFlag : 0
        for group in dropped.paused { flags |= Self.flag(group) }
        var writer = ColumnWriter()
        writer.byte(flags)
        writer.varint(UInt64(max(0, samples)))
        writer.zigzag(sentAt.microseconds &- receivedAt.microseconds)
        writer.varint(UInt64(bitPattern: dropped.withheld))
        return writer.bytes
    }

    init(plainSamples: Int16, receivedAt: Timestamp) {
        self.init(
            samples: Int(plainSamples), receivedAt: receivedAt, sentAt: receivedAt, isByDeviceClock: false,
            dropped: DroppedTypes())
    }

    init(decoding bytes: [UInt8], receivedAt: Timestamp) throws(SampleCodecError) {
        let read: Result<EarlierArrival, SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) {
                var reader = ColumnReader(bytes)
                let flags = try reader.byte()
                let samples = try reader.count(max: SampleBatch.samplesMax)
                let sent = receivedAt.microseconds &+ (try reader.zigzag())
                let withheld = Int64(bitPattern: try reader.varint())
                guard reader.isAtEnd else { throw .malformed("more bytes than an answer has") }
                return .success(
                    EarlierArrival(
                        samples: samples, receivedAt: receivedAt, sentAt: Timestamp(microseconds: sent),
                        isByDeviceClock: flags & Self.isByDeviceClockFlag != 0,
                        dropped: DroppedTypes(
                            paused: Set(DataType.Group.allCases.filter { flags & Self.flag($0) != 0 }),
                            withheld: withheld)))
            } catch { return .failure(error) }
        }
        self = try read.get()
    }
}
