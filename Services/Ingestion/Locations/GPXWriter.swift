import Domain
import Primitives

/// Writes tracks as GPX 1.1 (ING-08; https://www.topografix.com/GPX/1/1/), piece by piece, so that any number of fixes needs
/// little memory: a track for each source. A pause of more than `pauseMax` begins a new segment.
struct GPXWriter {
    static let pauseMax = Duration.seconds(30 * 60)

    /// What is to be sent.
    private(set) var bytes: [UInt8] = []
    private var last: Timestamp?

    init(createdAt: Timestamp) {
        append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="TrackMe" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
            <metadata><time>\(createdAt)</time></metadata>

            """)
    }

    mutating func beginTrack() { append("<trk>\n") }

    mutating func endTrack() {
        if last != nil { append("</trkseg>\n") }
        last = nil
        append("</trk>\n")
    }

    /// Fixes of a track come in the order of time.
    mutating func add(_ fix: PositionFix) {
        if let last, fix.time - last > Self.pauseMax { append("</trkseg>\n") }
        if last.map({ fix.time - $0 > Self.pauseMax }) ?? true { append("<trkseg>\n") }
        last = fix.time
        append("<trkpt lat=\"")
        append(degrees: fix.coordinate.latitude)
        append("\" lon=\"")
        append(degrees: fix.coordinate.longitude)
        append("\">")
        if let altitude = fix.altitude {
            append("<ele>")
            append(scaled: Int64((altitude * 10).rounded()), decimals: 1)
            append("</ele>")
        }
        append("<time>")
        fix.time.write(to: &bytes)
        append("</time></trkpt>\n")
    }

    mutating func finish() { append("</gpx>\n") }

    /// Hands over what was written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func append(degrees: Double) { append(scaled: Int64((degrees * 1e7).rounded()), decimals: 7) }

    private mutating func append(scaled: Int64, decimals: Int) {
        var digits = Array(String(scaled.magnitude).utf8)
        while digits.count <= decimals { digits.insert(UInt8(ascii: "0"), at: 0) }
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes += digits.dropLast(decimals)
        bytes.append(UInt8(ascii: "."))
        bytes += digits.suffix(decimals)
    }
}
