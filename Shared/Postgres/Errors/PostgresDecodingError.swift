/// A value of a result could not be read as the Swift type that was asked for.
public struct PostgresDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was wrong with it.
    public enum Reason: Error, Sendable, Equatable {
        /// NULL, and the Swift type is not optional.
        case null
        case type(found: PostgresType, expected: PostgresType)
        /// The value's length in bytes does not fit its type.
        case length(Int)
        /// The Swift type cannot hold the value.
        case outOfRange
        /// `infinity` or `-infinity`.
        case infinite
        case invalidUTF8
        /// No case of the enumeration has this raw value, or the format is of an unknown version.
        case unknownValue
        /// An array with so many dimensions; only one can be read.
        case dimensions(Int)
        /// The result has this many columns, not as many as types were given.
        case columns(Int)
        /// The result has no column of this name.
        case noColumn
        /// Several columns of the result have this name.
        case ambiguousColumn
        /// The result has this many rows where at most one was expected.
        case rows(Int)
    }

    public let reason: Reason
    /// The column's name in the result, empty when the error is about the whole result.
    public let column: String
    /// From 0.
    public let row: Int

    public init(reason: Reason, column: String, row: Int) {
        self.reason = reason
        self.column = column
        self.row = row
    }

    public var description: String {
        let place = column.isEmpty ? "the result" : "column \"\(column)\" of row \(row)"
        return switch reason {
        case .null: "\(place) is NULL"
        case .type(let found, let expected): "\(place) is \(found), not \(expected)"
        case .length(let count): "\(place) has an impossible length (\(count) bytes)"
        case .outOfRange: "\(place) is out of range"
        case .infinite: "\(place) is infinite"
        case .invalidUTF8: "\(place) is not UTF-8"
        case .unknownValue: "\(place) has an unknown value"
        case .dimensions(let count): "\(place) has \(count) dimensions"
        case .columns(let count): "\(place) has \(count) columns"
        case .noColumn: "the result has no column \"\(column)\""
        case .ambiguousColumn: "the result has several columns \"\(column)\""
        case .rows(let count): "\(place) has \(count) rows"
        }
    }
}
