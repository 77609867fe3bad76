/// A statement with its bound values. Interpolated values become `$n` parameters in binary format and never text:
///
/// ```swift
/// let sql: SQL = "select name from account where id = \(id) and born < \(day)"
/// ```
///
/// `\(raw:)` inserts trusted text, `\(identifier:)` a quoted name, `\(sql:)` another statement with its values; `+` joins two.
/// A parameter has the type of its Swift value, so a PostgreSQL enumeration needs a cast (`\(kind)::mood`). At most
/// 65,535 values (the protocol's limit).
public struct SQL: ExpressibleByStringInterpolation, Sendable, CustomStringConvertible {
    /// The statement as the server sees it, with `$1`, `$2`, … for the values.
    public private(set) var text: String
    private(set) var binds: Binds

    public init(stringLiteral value: String) {
        text = value
        binds = Binds()
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// Text that is trusted to be SQL.
    public init(raw text: String) {
        self.init(stringLiteral: text)
    }

    private init(capacity: Int, values: Int) {
        text = ""
        text.reserveCapacity(capacity)
        binds = Binds()
        binds.reserve(values)
    }

    /// Within a transaction: its commit is not waited for on disk or at a standby. A crash may take it, as a whole; never when
    /// a later commit was waited for (PostgreSQL, "Asynchronous Commit"). For what is done again when it is missing.
    public static let commitWithoutWaiting: SQL = "select set_config('synchronous_commit', 'off', true)"

    /// The statement without its values.
    public var description: String { text }

    public static func + (left: SQL, right: SQL) -> SQL {
        var joined = left
        joined.append(right)
        return joined
    }

    public static func += (left: inout SQL, right: SQL) {
        left.append(right)
    }

    /// Appends `other`, whose parameters are numbered on from this statement's.
    private mutating func append(_ other: SQL) {
        guard !other.binds.isEmpty else {
            text += other.text
            return
        }
        let source = other.text.utf8
        var position = source.startIndex
        for (index, entry) in other.binds.entries.enumerated() {
            let mark = source.index(source.startIndex, offsetBy: Int(entry.mark))
            text += other.text[position..<mark]
            binds.append(other.binds, index, mark: text.utf8.count)
            appendPlaceholder()
            position = source.index(mark, offsetBy: 1 + String(index + 1).utf8.count)
        }
        text += other.text[position...]
    }

    private mutating func appendPlaceholder() {
        text += "$"
        text += String(binds.count)
    }

    /// Collects the parts of an interpolated literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL

        public init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL(capacity: literalCapacity + 3 * interpolationCount, values: interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        /// A value: becomes a parameter.
        public mutating func appendInterpolation(_ value: some PostgresEncodable) {
            sql.binds.append(value, mark: sql.text.utf8.count)
            sql.appendPlaceholder()
        }

        /// A value or NULL: becomes a parameter.
        public mutating func appendInterpolation<T: PostgresEncodable>(_ value: T?) {
            sql.binds.append(value, mark: sql.text.utf8.count)
            sql.appendPlaceholder()
        }

        /// Another statement's text and values.
        public mutating func appendInterpolation(sql other: SQL) {
            sql.append(other)
        }

        /// Trusted text.
        public mutating func appendInterpolation(raw text: String) {
            sql.text += text
        }

        /// A name, quoted.
        public mutating func appendInterpolation(identifier: String) {
            sql.text += quoted(identifier)
        }
    }
}

/// `name` as a quoted SQL identifier.
func quoted(_ name: String) -> String {
    var text = "\""
    for character in name.unicodeScalars {
        if character == "\"" { text += "\"" }
        text.unicodeScalars.append(character)
    }
    return text + "\""
}
