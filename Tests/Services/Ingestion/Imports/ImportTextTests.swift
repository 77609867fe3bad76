import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct ImportTextTests {
    private func time(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBufferPointer(ImportText.time).map {
            "\($0.time) \($0.zone?.description ?? "-")\($0.isLocal ? " local" : "")"
        }
    }

    private func number(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBufferPointer(ImportText.number)
    }

    @Test("ING-04: times with offsets, as the formats write them")
    func times() {
        #expect(time("2020-08-09T09:47:14.372000Z") == "2020-08-09T09:47:14.372Z -")
        #expect(time("2020-08-09T11:47:15+02:00") == "2020-08-09T09:47:15Z +02:00")
        #expect(time("2020-08-09 11:47:15 -0330") == "2020-08-09T15:17:15Z -03:30")
        #expect(time(" 2020-08-09T11:47+02 ") == "2020-08-09T09:47:00Z +02:00")
        #expect(time("2020-08-09T11:47:15") == "2020-08-09T11:47:15Z - local")
        #expect(time("2020-08-09T11:47:15+00:00") == "2020-08-09T11:47:15Z Z")
        #expect(time("0001-01-01T00:00:00.000000001Z") == "0001-01-01T00:00:00Z -")
        for text in [
            "", "2020-08-09", "2020-08-09T", "2020-13-09T11:47:15Z", "2020-02-30T11:47:15Z", "2020-08-09T24:47:15Z",
            "2020-08-09T11:60:15Z", "2020-08-09T11:47:61Z", "2020-08-09T11:47:15.Z", "2020-08-09T11:47:15+19:00",
            "2020-08-09T11:47:15+1:00", "2020-08-09T11:47:15ZZ", "2020-08-09T11:47:15 CET", "x020-08-09T11:47:15Z",
        ] {
            #expect(time(text) == nil, "\(text)")
        }
    }

    @Test("ING-04: numbers are read as the standard library reads them, or not at all")
    func numbers() {
        for text in [
            "0", "-0", "1", "-1.5", "45.123456789", "0.1", "123456789012345", "1e3", "1.5E-3", "+3", "  7 ", ".5", "5.",
            "0.30000000000000004", "123456789012345678901234567890",
        ] {
            #expect(number(text) == Double(text.trimmed), "\(text)")
        }
        for text in ["", "-", ".", "1.2.3", "1,5", "NaN", "inf", "0x10", "1e999", "1 2", "--1"] {
            #expect(number(text) == nil, "\(text)")
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
