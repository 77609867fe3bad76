import Primitives
import SeededRandom

/// Writes a made-up `export.xml` as the Health app does, piece by piece: records by type, of a watch and a phone.
struct HealthExport {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
        ]>
        <HealthData locale="it_IT">
         <ExportDate value="2026-01-01 20:00:00 +0100"/>

        """
    private static let device =
        "&lt;&lt;HKDevice: 0x2810a8fa0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,7, software:10.1&gt;"
    private static let types = [
        ("HeartRate", "count/min", 0), ("StepCount", "count", 60), ("ActiveEnergyBurned", "kcal", 45),
        ("DistanceWalkingRunning", "km", 60),
    ]
    /// Records of a type before the next one's.
    private static let turn = 700_000

    private var generator: SeededGenerator
    private var number = 0
    private var time = Timestamp("2019-01-01T00:00:00Z") ?? Timestamp(milliseconds: 0)
    private var rest = Array(head.utf8)

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// The next bytes, and at the end what closes the document.
    mutating func next(bytes count: Int, isLast: Bool) -> [UInt8] {
        while rest.count < count { append() }
        guard isLast else {
            let piece = Array(rest.prefix(count))
            rest.removeFirst(count)
            return piece
        }
        return rest + Array("</HealthData>\n".utf8)
    }

    private mutating func append() {
        let (type, unit, duration) = Self.types[number / Self.turn % Self.types.count]
        number += 1
        time = time + .seconds(Int.random(in: 20...150, using: &generator))
        let begin = Self.written(time)
        let end = duration == 0 ? begin : Self.written(time + .seconds(Int.random(in: 1...duration, using: &generator)))
        let source = Int.random(in: 0..<4, using: &generator) == 0 ? "iPhone" : "Apple\u{A0}Watch"
        let value = Int.random(in: 1...180, using: &generator)
        rest +=
            " <Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"\(source)\" sourceVersion=\"10.1\" device=\"\(Self.device)\" unit=\"\(unit)\" creationDate=\"\(end)\" startDate=\"\(begin)\" endDate=\"\(end)\" value=\"\(value)\"/>\n"
            .utf8
    }

    /// `2019-01-01 00:00:00 +0100`.
    private static func written(_ time: Timestamp) -> String {
        let text = (time + .seconds(3600)).description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0100"
    }
}
