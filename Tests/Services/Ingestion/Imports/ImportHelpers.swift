import Domain
import Primitives

@testable import Ingestion

let testClock = SampleClock(now: Timestamp("2026-11-20T10:00:00Z")!)

/// All that an importer gives for a document that comes in pieces of `pieceBytes`.
func imported(
    _ text: String, by importer: some FileImporter, pieceBytes: Int = .max
) -> (batch: ImportBatch, report: ImportReport) {
    imported(Array(text.utf8), by: importer, pieceBytes: pieceBytes)
}

func imported(
    _ bytes: [UInt8], by importer: some FileImporter, pieceBytes: Int = .max
) -> (batch: ImportBatch, report: ImportReport) {
    var all = ImportBatch()
    var rest = bytes[...]
    while !rest.isEmpty {
        all.append(importer.consume(Array(rest.prefix(pieceBytes))))
        rest = rest.dropFirst(pieceBytes)
    }
    all.append(importer.finish())
    return (all, importer.report)
}

extension ImportBatch {
    var measurements: [Measurement] { groups.flatMap(\.measurements) }
    var positions: [PositionFix] { groups.flatMap(\.positions) }
}

extension ImportReport {
    /// One line for each kind of skip.
    var skips: [String] {
        skipped.map { "\($0.type?.name ?? "-") \($0.reason) \($0.count) \($0.places.map(\.text))" }
    }
}

extension ImportReport.Place {
    var text: String {
        let file = file.map { "\($0):" } ?? ""
        return switch position {
        case .line(let line): "\(file)\(line)"
        case .byte(let byte): "\(file)#\(byte)"
        }
    }
}
