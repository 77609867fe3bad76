import Contracts
import JSON

@testable import UploadParsing

/// What the parser of uploads reads, the general codec reads as well, and as the same.
enum UploadTarget {
    private static let limits = JSONLimits(depthMax: 8, valuesMax: 10_000)

    static func run(_ input: [UInt8]) -> Int32 {
        guard let (upload, unknown) = UploadParser.upload(input, limits: limits) else { return 0 }
        let decoder = JSONDecoder(limits: limits, refusesControlCharacters: true)
        guard let (expected, expectedUnknown) = try? decoder.decodeCounting(UploadRequest.self, from: input) else {
            preconditionFailure("only the parser of uploads reads this")
        }
        // The codec counts so many.
        precondition(min(unknown, 32) == expectedUnknown, "other members are unknown")
        precondition(upload.upload == expected.upload && upload.sentAt == expected.sentAt, "another upload")
        precondition(upload.series.elementsEqual(expected.series, by: areSame), "other series")
        return 0
    }

    private static func areSame(_ left: UploadedSeries, _ right: UploadedSeries) -> Bool {
        guard case .read(let leftSent) = left, case .read(let rightSent) = right else { return false }
        var (left, right) = (leftSent.series, rightSent.series)
        // A number that is none equals nothing, not even itself.
        let numbers = [
            (left.values, right.values), (left.latitudes, right.latitudes), (left.longitudes, right.longitudes),
        ]
        guard numbers.allSatisfy({ $0?.map(\.bitPattern) == $1?.map(\.bitPattern) }) else { return false }
        (left.values, left.latitudes, left.longitudes) = (nil, nil, nil)
        (right.values, right.latitudes, right.longitudes) = (nil, nil, nil)
        return left == right
    }
}
