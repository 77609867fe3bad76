import Testing

@testable import Ingestion

@Suite struct ImportFormatTests {
    static let beginnings: [(String, ImportFormat?)] = [
        ("<?xml version='1.0'?><gpx version='1.1'>", .gpx), ("\u{FEFF}  <x:gpx>", .gpx),
        ("\n<?xml?>\n<!-- <TrainingCenterDatabase> -->\n<gpx>", .gpx), ("<TrainingCenterDatabase\nxmlns='x'>", .tcx),
        ("<?xml?><!DOCTYPE HealthData [<!ELEMENT a (b)>]><HealthData locale='it'>", .appleHealth), ("<html>", nil),
        ("<!-- never ends", nil), ("<", nil), ("", nil),
        ("\u{0E}\u{10}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}.FIT\u{0}\u{0}", .fit),
        (" {\"header\":{}}", .openMHealth), ("[]", .openMHealth), ("time,type,value\n", .csv),
        ("time;type;value", .csv), ("hello\nworld", nil), ("PK\u{3}\u{4},", .zip), ("PK\u{5}\u{6},", nil),
    ]

    @Test("ING-04: the format of a file is told by its first bytes", arguments: beginnings)
    func detection(text: String, format: ImportFormat?) {
        #expect(ImportFormat.detect(Array(text.utf8)) == format)
    }
}
