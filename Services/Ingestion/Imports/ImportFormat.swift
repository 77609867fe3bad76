import Domain

/// The formats of files that can be imported (ING-04).
enum ImportFormat: String, CaseIterable {
    case gpx
    case tcx
    case appleHealth = "apple-health"
    case fit
    case openMHealth = "open-mhealth"
    case csv
    case zip
    case gzip

    /// As people know it.
    var title: String {
        switch self {
        case .gpx: "GPX"
        case .tcx: "TCX"
        case .appleHealth: "Apple Health"
        case .fit: "FIT"
        case .openMHealth: "Open mHealth or IEEE 1752.1 (JSON)"
        case .csv: "CSV"
        case .zip: "ZIP of these"
        case .gzip: "gzip of one of these"
        }
    }

    func importer(clock: SampleClock) -> any FileImporter {
        switch self {
        case .gpx: GPXImporter(clock: clock)
        case .tcx: TCXImporter(clock: clock)
        case .appleHealth: AppleHealthImporter(clock: clock)
        case .fit: FITImporter(clock: clock)
        case .openMHealth: OpenMHealthImporter(clock: clock)
        case .csv: CSVImporter(clock: clock)
        case .zip: ZipImporter(clock: clock)
        case .gzip: GzipImporter(clock: clock, limit: .file)
        }
    }

    /// What is said of a file of another format.
    static var unsupported: String {
        "The file is none of: \(allCases.map(\.title).joined(separator: ", "))."
    }

    /// Bytes of the beginning of a file that `detect` looks at, at most.
    static let detectionBytesMax = 64 * 1024

    /// The format of a file that begins with these bytes; `nil` when it is none of them.
    static func detect(_ firstBytes: [UInt8]) -> ImportFormat? {
        let bytes = firstBytes.prefix(detectionBytesMax)
        // A FIT header is 12 or 14 bytes long and says so.
        if bytes.count >= 12, bytes[0] == 12 || bytes[0] == 14, bytes[8..<12].elementsEqual(".FIT".utf8) { return .fit }
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) { return .zip }
        if bytes.starts(with: [0x1F, 0x8B, 8]) { return .gzip }
        var rest = bytes
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        rest = rest.drop { $0 <= 0x20 }
        switch rest.first {
        case UInt8(ascii: "<"): return xmlFormat(rest)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .openMHealth
        default: break
        }
        let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
        let isText = line.allSatisfy { $0 >= 0x20 || $0 == 0x09 }
        let separators: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
        return isText && line.contains { separators.contains($0) } ? .csv : nil
    }

    /// By the local name of the first element, after declarations, comments and a document type.
    private static func xmlFormat(_ document: ArraySlice<UInt8>) -> ImportFormat? {
        var rest = document
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            if rest.starts(with: "?".utf8) {
                rest = after("?>", in: rest)
            } else if rest.starts(with: "!--".utf8) {
                rest = after("-->", in: rest.dropFirst(3))
            } else if rest.starts(with: "!".utf8) {
                // The outermost element's name stands in the document type as well.
                return named(rest.drop { $0 > 0x20 }.drop { $0 <= 0x20 })
            } else {
                return named(rest)
            }
        }
        return nil
    }

    private static func named(_ rest: ArraySlice<UInt8>) -> ImportFormat? {
        let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        switch String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self) {
        case "gpx": return .gpx
        case "TrainingCenterDatabase": return .tcx
        case "HealthData": return .appleHealth
        default: return nil
        }
    }

    private static func after(_ end: StaticString, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let pattern = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        var rest = bytes
        while let start = rest.firstIndex(of: pattern[0]) {
            rest = rest[start...]
            if rest.starts(with: pattern) { return rest.dropFirst(pattern.count) }
            rest.removeFirst()
        }
        return []
    }
}
