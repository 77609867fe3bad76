import Contracts
import JSON

/// A series as it was sent. One that cannot be read does not affect the others.
enum UploadedSeries: Sendable {
    case readable(SampleSeries)
    case unreadable(JSONValue, explanation: String)
}

extension UploadedSeries: Decodable {
    init(from decoder: any Decoder) throws {
        do {
            self = .readable(try decoder.singleValueContainer().decode(SampleSeries.self))
        } catch {
            self = .unreadable(try JSONValue(from: decoder), explanation: Self.explanation(error))
        }
    }

    private static func explanation(_ error: any Error) -> String {
        switch error {
        case let error as JSONError: "\(error)."
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.debugDescription)."
        default: "The series cannot be read."
        }
    }
}
