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
        all += importer.consume(Array(rest.prefix(pieceBytes)))
        rest = rest.dropFirst(pieceBytes)
    }
    all += importer.finish()
    return (all, importer.report)
}

extension ImportBatch {
    static func += (left: inout ImportBatch, right: ImportBatch) {
        left.measurements += right.measurements
        left.positions += right.positions
    }
}
