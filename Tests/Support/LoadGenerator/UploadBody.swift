import Contracts
import Domain
import Primitives

/// The JSON of an upload that only needs its number and its times written in.
struct UploadBody: Sendable {
    static let numberDigits = 13
    /// `2026-05-01T07:00:00.000Z`.
    static let timeBytes = 24

    private(set) var bytes: [UInt8] = []
    private(set) var numberAt = 0
    private(set) var sentAt = 0
    private(set) var startsAt: [Int] = []
    /// The length in decimal digits, and the end of the head.
    private(set) var lengthLine: [UInt8] = []
    let sampleCount: Int
    /// From the earliest sample's nominal time to when the upload is sent, in milliseconds.
    let spanMilliseconds: Int64

    /// Of samples of a pattern: `series` whose offsets count from the time that is written in.
    init(_ series: [SampleSeries], spanMilliseconds: Int64) {
        sampleCount = series.reduce(0) { $0 + $1.count }
        self.spanMilliseconds = spanMilliseconds
        add(#"{"upload":"#)
        numberAt = bytes.count
        blank(Self.numberDigits)
        add(#","sent_at":""#)
        sentAt = bytes.count
        blank(Self.timeBytes)
        add(#"","series":["#)
        for (index, one) in series.enumerated() {
            if index > 0 { add(",") }
            add(#"{"type":"\#(one.type.name)","start":""#)
            startsAt.append(bytes.count)
            blank(Self.timeBytes)
            add(#"","offsets_ms":["#)
            add(one.offsets.map(String.init).joined(separator: ","))
            add("]")
            if let durations = one.durations {
                add(#","durations_ms":[\#(durations.map(String.init).joined(separator: ","))]"#)
            }
            add("values", one.values)
            add("latitudes", one.latitudes)
            add("longitudes", one.longitudes)
            add("accuracies", one.accuracies?.compactMap { $0 })
            if let zone = one.zoneOffset { add(#","zone_offset":"\#(zone)""#) }
            if let contact = one.contact { add(#","contact":[\#(contact.map { "\($0)" }.joined(separator: ","))]"#) }
            add("}")
        }
        add("]}")
        lengthLine = Array("\(bytes.count)\r\n\r\n".utf8)
    }

    private mutating func add(_ column: String, _ numbers: [Double]?) {
        guard let numbers else { return }
        add(#","\#(column)":[\#(numbers.map(Self.number).joined(separator: ","))]"#)
    }

    private mutating func add(_ text: String) { bytes += text.utf8 }
    private mutating func blank(_ count: Int) { bytes += repeatElement(UInt8(ascii: "0"), count: count) }

    /// Without the `.0` of whole numbers, as devices write them.
    private static func number(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

/// A time as RFC 3339 text of fixed length. The text of a second is kept, since thousands fall into one.
struct TimeText {
    private var second = Int64.min
    private var text = [UInt8](repeating: 0, count: UploadBody.timeBytes)

    mutating func write(_ milliseconds: Int64, to target: UnsafeMutablePointer<UInt8>) {
        let (seconds, rest) = (milliseconds / 1000, Int(milliseconds % 1000))
        if seconds != second {
            second = seconds
            let whole = Array("\(Timestamp(milliseconds: seconds * 1000))".utf8)
            precondition(whole.count == 20, "a year of five digits")
            text = whole.dropLast() + Array(".000Z".utf8)
        }
        target.update(from: text, count: text.count)
        target[20] = UInt8(ascii: "0") + UInt8(rest / 100)
        target[21] = UInt8(ascii: "0") + UInt8(rest / 10 % 10)
        target[22] = UInt8(ascii: "0") + UInt8(rest % 10)
    }
}
