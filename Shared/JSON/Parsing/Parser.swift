/// Checks a text against RFC 8259 and fills a tape with its tokens, in one pass and without recursion.
struct Parser {
    private let tape: Tape
    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private let limits: JSONLimits
    private var position = 0
    private var values = 0

    private static let noParent = Int(UInt32.max)

    /// The tape of a whole text.
    static func parse(
        _ source: UnsafeRawBufferPointer, limits: JSONLimits, borrowing: Bool = false
    ) throws(JSONError) -> Tape {
        guard source.count <= limits.bytesMax else {
            throw JSONError(kind: .limit, message: "the text has more than \(limits.bytesMax) bytes")
        }
        let tape = Tape(source, borrowing: borrowing)
        var parser = Parser(tape, limits)
        try parser.parseValue()
        parser.skipWhitespace()
        guard parser.position == parser.count else {
            throw JSONError.syntax("unexpected text after the value", at: parser.position)
        }
        return tape
    }

    /// Where the first value in `source` ends.
    static func endOfValue(_ source: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONError) -> Int {
        let window = UnsafeRawBufferPointer(rebasing: source.prefix(limits.bytesMax))
        var parser = Parser(Tape(window, borrowing: true), limits)
        do {
            try parser.parseValue()
        } catch {
            guard error.kind == .syntax, parser.position >= window.count, window.count < source.count else {
                throw error
            }
            throw JSONError(kind: .limit, message: "the value has more than \(limits.bytesMax) bytes")
        }
        return parser.position
    }

    private init(_ tape: Tape, _ limits: JSONLimits) {
        self.tape = tape
        bytes = tape.bytes
        count = tape.count
        self.limits = limits
    }

    private mutating func parseValue() throws(JSONError) {
        var parent = Self.noParent
        var depth = 0
        while true {
            skipWhitespace()
            guard position < count else { throw expectedValue() }
            values &+= 1
            guard values <= limits.valuesMax else {
                throw JSONError(kind: .limit, message: "the text has more than \(limits.valuesMax) values")
            }
            if parent != Self.noParent { tape.countOneMore(in: parent) }
            let byte = bytes[position]
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
                guard depth <= limits.depthMax else {
                    throw JSONError(
                        kind: .limit,
                        message: "the text is nested more than \(limits.depthMax) deep at byte \(position)")
                }
                let isObject = byte == UInt8(ascii: "{")
                tape.append(Token(isObject ? .object : .array, offset: position, length: parent))
                parent = tape.tokenCount - 1
                position &+= 1
                skipWhitespace()
                if position < count, bytes[position] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    position &+= 1
                    depth -= 1
                    parent = try close(parent)
                } else if isObject {
                    try parseName()
                    continue
                } else {
                    continue
                }
            } else {
                try parseScalar(byte)
            }
            // After a value: the containers that end here, then the next value's beginning.
            while true {
                if parent == Self.noParent { return }
                skipWhitespace()
                let isObject = tape.tokens[parent].kind == .object
                guard position < count else { throw unexpectedEnd() }
                let byte = bytes[position]
                if byte == UInt8(ascii: ",") {
                    position &+= 1
                    if isObject {
                        skipWhitespace()
                        try parseName()
                    }
                    break
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw JSONError.syntax(isObject ? "expected `,` or `}`" : "expected `,` or `]`", at: position)
                }
                position &+= 1
                depth -= 1
                parent = try close(parent)
            }
        }
    }

    /// Ends a container and returns its parent.
    private func close(_ index: Int) throws(JSONError) -> Int {
        let parent = Int(tape.tokens[index].length)
        tape.close(index, at: position)
        if tape.tokens[index].kind == .object, tape.tokens[index].payload > 0 {
            tape.tokens[index + 1].next = UInt32(truncatingIfNeeded: index + 1)
            if let duplicate = DuplicateNames.first(in: tape, object: index) {
                throw JSONError(
                    kind: .syntax,
                    message: "a member is named \(JSONError.step(key: tape.string(of: duplicate)).dropFirst()) twice")
            }
        }
        return parent
    }

    @inline(__always) private mutating func skipWhitespace() {
        while position < count {
            switch bytes[position] {
            case 0x20, 0x0a, 0x0d, 0x09: position &+= 1
            default: return
            }
        }
    }

    /// A member's name and the colon after it.
    @inline(__always) private mutating func parseName() throws(JSONError) {
        guard position < count else { throw unexpectedEnd() }
        guard bytes[position] == UInt8(ascii: "\"") else {
            throw JSONError.syntax("expected a member's name", at: position)
        }
        try parseString()
        skipWhitespace()
        guard position < count else { throw unexpectedEnd() }
        guard bytes[position] == UInt8(ascii: ":") else { throw JSONError.syntax("expected `:`", at: position) }
        position &+= 1
    }

    @inline(__always) private mutating func parseScalar(_ byte: UInt8) throws(JSONError) {
        switch byte {
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try parseNumber()
        case UInt8(ascii: "t"): try parseWord("true", .true)
        case UInt8(ascii: "f"): try parseWord("false", .false)
        case UInt8(ascii: "n"): try parseWord("null", .null)
        default: throw expectedValue()
        }
    }

    private mutating func parseWord(_ word: StaticString, _ kind: Token.Kind) throws(JSONError) {
        let length = word.utf8CodeUnitCount
        for index in 0..<length {
            guard position + index < count else { throw unexpectedEnd() }
            guard bytes[position + index] == word.utf8Start[index] else { throw expectedValue() }
        }
        tape.append(Token(kind, offset: position, length: length))
        position += length
    }

    // MARK: Numbers

    @inline(__always) private mutating func skipDigits() -> Int {
        let start = position
        while position < count, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
        return position &- start
    }

    @inline(__always) private mutating func parseNumber() throws(JSONError) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        let first = position
        let digits = skipDigits()
        guard digits > 0 else { throw malformedNumber() }
        guard digits == 1 || bytes[first] != UInt8(ascii: "0") else {
            throw JSONError.syntax("a number begins with 0", at: start)
        }
        var kind = Token.Kind.integer
        var mayOverflow = false
        if position < count, bytes[position] == UInt8(ascii: ".") {
            kind = .decimal
            position &+= 1
            guard skipDigits() > 0 else { throw malformedNumber() }
        }
        if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            position &+= 1
            if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position &+= 1
            }
            let exponentDigits = skipDigits()
            guard exponentDigits > 0 else { throw malformedNumber() }
            mayOverflow = exponentDigits > 2
        }
        let length = position &- start
        guard length <= limits.stringBytesMax else { throw stringTooLong(at: start) }
        // Up to 200 digits and an exponent up to 99 stay below 1.8e308.
        if mayOverflow || length > 200 {
            guard Number.double(bytes + start, count: length) != nil else {
                throw JSONError.syntax("a number is too large", at: start)
            }
        }
        tape.append(Token(kind, offset: start, length: length))
    }

    private func malformedNumber() -> JSONError {
        position < count ? JSONError.syntax("expected a digit", at: position) : unexpectedEnd()
    }

    // MARK: Strings

    @inline(__always) private mutating func parseString() throws(JSONError) {
        let start = position &+ 1
        var isEscaped = false
        position = start
        while true {
            position = PlainText.end(in: bytes, from: position, to: count, asciiOnly: true)
            guard position < count else { throw unexpectedEnd() }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                isEscaped = true
                try checkEscape()
            } else if byte < 0x20 {
                throw JSONError.syntax("a control character in a string", at: position)
            } else {
                let length = UTF8Sequence.length(bytes + position, count: count &- position)
                guard length > 0 else { throw JSONError.syntax("a string is not UTF-8", at: position) }
                position &+= length
            }
        }
        let length = position &- start
        guard length <= limits.stringBytesMax else { throw stringTooLong(at: start) }
        if isEscaped {
            let entry = tape.unescape(from: start, to: position)
            tape.append(Token(.escapedString, offset: start, length: length, payload: entry))
        } else {
            tape.append(Token(.string, offset: start, length: length))
        }
        position &+= 1
    }

    private mutating func checkEscape() throws(JSONError) {
        guard position + 1 < count else { throw unexpectedEnd() }
        guard bytes[position + 1] == UInt8(ascii: "u") else {
            guard Unescaping.character(after: bytes[position + 1]) != nil else {
                throw JSONError.syntax("an unknown escape", at: position)
            }
            position += 2
            return
        }
        let first = try hexadecimal(at: position + 2)
        if first & 0xfc00 == 0xd800 {
            guard position + 7 < count else { throw unexpectedEnd() }
            guard bytes[position + 6] == UInt8(ascii: "\\"), bytes[position + 7] == UInt8(ascii: "u"),
                try hexadecimal(at: position + 8) & 0xfc00 == 0xdc00
            else { throw JSONError.syntax("half a surrogate pair", at: position) }
            position += 12
        } else if first & 0xfc00 == 0xdc00 {
            throw JSONError.syntax("half a surrogate pair", at: position)
        } else {
            position += 6
        }
    }

    private func hexadecimal(at start: Int) throws(JSONError) -> UInt32 {
        guard start + 4 <= count else { throw unexpectedEnd() }
        guard let value = Unescaping.hexadecimal(bytes + start) else {
            throw JSONError.syntax("expected four hexadecimal digits", at: start)
        }
        return value
    }

    // MARK: Errors

    private func expectedValue() -> JSONError {
        position < count ? JSONError.syntax("expected a value", at: position) : unexpectedEnd()
    }

    private func unexpectedEnd() -> JSONError { JSONError(kind: .syntax, message: "the text ends too early") }

    private func stringTooLong(at offset: Int) -> JSONError {
        JSONError(
            kind: .limit, message: "a string or number has more than \(limits.stringBytesMax) bytes at byte \(offset)")
    }
}
