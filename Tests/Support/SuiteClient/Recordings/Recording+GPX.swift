import Domain
import Primitives

extension Recording {
    /// Reads the track points of a GPX file that have a time. Reads what recorders write, not any XML: it is for replaying
    /// files that the ingestion service has imported, with its own parser, before.
    public init(gpx bytes: [UInt8]) throws(SuiteError) {
        var points: [RecordedPoint] = []
        var coordinate: Coordinate?
        var time: Timestamp?
        var heartRate: Double?
        for tag in TagReader(bytes) {
            switch tag.name {
            case "trkpt":
                coordinate = tag.coordinate
                (time, heartRate) = (nil, nil)
            case "time": time = Timestamp(tag.text)
            case "hr": heartRate = Double(tag.text)
            case "/trkpt":
                if let coordinate, let time {
                    points.append(RecordedPoint(time: time, coordinate: coordinate, heartRate: heartRate))
                }
            default: break
            }
        }
        try self.init(points)
    }
}

/// A tag without its prefix (`/trkpt` for an end), its attributes, and the text up to the next tag.
private struct Tag {
    let name: String
    let attributes: Substring
    let text: String

    var coordinate: Coordinate? {
        guard let latitude = number("lat"), let longitude = number("lon") else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func number(_ attribute: String) -> Double? {
        for part in attributes.split(separator: " ") where part.hasPrefix("\(attribute)=") {
            return Double(part.dropFirst(attribute.count + 1).filter { $0 != "\"" && $0 != "'" && $0 != "/" })
        }
        return nil
    }
}

/// The tags of a file one after the other.
private struct TagReader: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func next() -> Tag? {
        guard let open = rest.firstIndex(of: UInt8(ascii: "<")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let inside = String(decoding: rest[(open + 1)..<close], as: UTF8.self)
        rest = rest[(close + 1)...]
        let text = String(decoding: rest.prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
        let full = inside.prefix { !$0.isWhitespace }
        let local = full.split(separator: ":").last ?? full
        let name = full.hasPrefix("/") && !local.hasPrefix("/") ? "/\(local)" : String(local)
        return Tag(name: name, attributes: inside.dropFirst(full.count), text: text.trimmed)
    }
}

extension String {
    /// Without white space at the ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
