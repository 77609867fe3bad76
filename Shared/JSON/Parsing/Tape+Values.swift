/// Typed reading of single tokens.
extension Tape {
    @inline(__always) func string(at index: Int) throws(JSONError) -> String {
        switch tokens[index].kind {
        case .string, .escapedString: return string(of: index)
        default: throw mismatch("a string", at: index)
        }
    }

    @inline(__always) func bool(at index: Int) throws(JSONError) -> Bool {
        switch tokens[index].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch("true or false", at: index)
        }
    }

    @inline(__always)
    func integer<Integer: FixedWidthInteger>(at index: Int, as type: Integer.Type) throws(JSONError) -> Integer {
        let token = tokens[index]
        guard token.kind == .integer else { throw mismatch("an integer", at: index) }
        guard let value = Number.integer(bytes + Int(token.offset), count: Int(token.length), as: type) else {
            throw error("expected an integer from \(Integer.min) to \(Integer.max)", at: index)
        }
        return value
    }

    @inline(__always) func double(at index: Int) throws(JSONError) -> Double {
        let token = tokens[index]
        guard token.kind == .integer || token.kind == .decimal else { throw mismatch("a number", at: index) }
        guard let value = Number.double(bytes + Int(token.offset), count: Int(token.length)) else {
            throw error("the number is too large", at: index)
        }
        return value
    }

    func float(at index: Int) throws(JSONError) -> Float {
        let token = tokens[index]
        guard token.kind == .integer || token.kind == .decimal else { throw mismatch("a number", at: index) }
        guard let value = Number.float(bytes + Int(token.offset), count: Int(token.length)) else {
            throw error("the number is too large", at: index)
        }
        return value
    }

    @inline(__always) func isNull(at index: Int) -> Bool { tokens[index].kind == .null }

    func value(at index: Int) throws(JSONError) -> JSONValue {
        let token = tokens[index]
        switch token.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string, .escapedString: return .string(string(of: index))
        case .decimal: return .number(try double(at: index))
        case .integer:
            if let value = Number.integer(bytes + Int(token.offset), count: Int(token.length), as: Int64.self) {
                return .integer(value)
            }
            return .number(try double(at: index))
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(token.payload)
            var position = index + 1
            while position < Int(token.next) {
                elements.append(try value(at: position))
                position = end(of: position)
            }
            return .array(elements)
        case .object:
            var members: [JSONObject.Member] = []
            members.reserveCapacity(token.payload)
            var position = index + 1
            while position < Int(token.next) {
                members.append(JSONObject.Member(key: string(of: position), value: try value(at: position + 1)))
                position = end(of: position + 1)
            }
            return .object(JSONObject(distinct: members))
        }
    }

    func raw(at index: Int) -> JSONRaw {
        JSONRaw(
            trusted: Array(
                UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: bytes, count: count)[range(of: index)])))
    }

    // MARK: Errors

    @inline(never) func mismatch(_ expected: String, at index: Int) -> JSONError {
        error("expected \(expected), found \(described(at: index))", at: index)
    }

    @inline(never) func error(_ message: String, at index: Int) -> JSONError {
        JSONError(kind: .value, path: path(to: index), message: message)
    }

    @inline(never) func missing(_ key: String, in object: Int) -> JSONError {
        JSONError(kind: .missing, path: path(to: object) + JSONError.step(key: key), message: "is missing")
    }

    private func described(at index: Int) -> String {
        switch tokens[index].kind {
        case .null: "null"
        case .true: "true"
        case .false: "false"
        case .integer: "a number"
        case .decimal: "a number with a fraction or an exponent"
        case .string, .escapedString: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The way from the top to a token, found again from the tape: only errors need it.
    func codingPath(to target: Int) -> [PathKey] {
        var path: [PathKey] = []
        var container = 0
        while container != target {
            let isObject = tokens[container].kind == .object
            var position = container + 1
            var ordinal = 0
            var inner = container
            while position < Int(tokens[container].next) {
                let value = isObject ? position + 1 : position
                if target < end(of: value) {
                    path.append(isObject ? PathKey(stringValue: string(of: position)) : PathKey(intValue: ordinal))
                    inner = value
                    break
                }
                position = end(of: value)
                ordinal += 1
            }
            if inner == container { return path }
            container = inner
        }
        return path
    }

    func path(to target: Int) -> String { PathKey.text(of: codingPath(to: target)) }
}

extension Tape {
    /// The first text or member name that holds a control character other than a tab or a line break, as an error. Only an
    /// escape can write one.
    func controlCharacter() -> JSONError? {
        guard arenaCount > 0 else { return nil }
        for index in 0..<tokenCount where tokens[index].kind == .escapedString {
            let holdsOne = text(at: index).contains { $0 < 0x20 && $0 != 9 && $0 != 10 && $0 != 13 }
            if holdsOne { return error("leave out control characters", at: index) }
        }
        return nil
    }
}
