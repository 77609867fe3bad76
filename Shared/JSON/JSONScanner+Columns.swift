/// Plain values and columns of them, read without a decoder: for texts of a known form that come by the thousand. What is
/// of another kind, or does not fit, is `nil`; a `JSONDecoder` says what is wrong.
extension JSONScanner {
    /// Whether a text or member name is written with escapes.
    public var hasEscapes: Bool { tape.arenaCount > 0 }

    public func isArray(_ value: Value) -> Bool { tape.tokens[index(of: value)].kind == .array }
    public func isNull(_ value: Value) -> Bool { tape.isNull(at: index(of: value)) }

    public func text(_ value: Value) -> String? {
        let index = index(of: value)
        switch tape.tokens[index].kind {
        case .string, .escapedString: return tape.string(of: index)
        default: return nil
        }
    }

    public func integer(_ value: Value) -> Int64? { integer(at: index(of: value)) }

    /// An array of integers.
    public func integers(_ value: Value) -> [Int64]? { column(value) { integer(at: $0) } }

    /// An array of numbers; `null` stands for those that are `null`. Without it there may be none.
    public func numbers(_ value: Value, null: Double? = nil) -> [Double]? {
        column(value) { index in
            let token = tape.tokens[index]
            switch token.kind {
            case .integer, .decimal: return Number.double(tape.bytes + Int(token.offset), count: Int(token.length))
            case .null: return null
            default: return nil
            }
        }
    }

    /// An array of `true` and `false`.
    public func flags(_ value: Value) -> [Bool]? {
        column(value) { index in
            switch tape.tokens[index].kind {
            case .true: true
            case .false: false
            default: nil
            }
        }
    }

    /// The members of an object that have these names, in their order, and how many others it has. `nil`: not an object.
    public func members(of value: Value, named names: [StaticString]) -> (found: [Value?], others: Int)? {
        let object = index(of: value)
        guard tape.tokens[object].kind == .object else { return nil }
        var found = [Value?](repeating: nil, count: names.count)
        var others = 0
        var position = object + 1
        // Members mostly come in the order in which they are asked for.
        var next = 0
        while position < Int(tape.tokens[object].next) {
            if let place = place(of: tape.text(at: position), among: names, from: next) {
                found[place] = self.value(position + 1)
                next = place + 1
            } else {
                others += 1
            }
            position = tape.end(of: position + 1)
        }
        return (found, others)
    }

    private func place(
        of text: UnsafeBufferPointer<UInt8>, among names: [StaticString], from start: Int
    ) -> Int? {
        for step in names.indices {
            let place = start + step < names.count ? start + step : start + step - names.count
            if Tape.areEqual(text, names[place]) { return place }
        }
        return nil
    }

    @inline(__always) private func integer(at index: Int) -> Int64? {
        let token = tape.tokens[index]
        guard token.kind == .integer else { return nil }
        return Number.integer(tape.bytes + Int(token.offset), count: Int(token.length), as: Int64.self)
    }

    @inline(__always) private func column<Element>(_ value: Value, _ read: (Int) -> Element?) -> [Element]? {
        let array = index(of: value)
        guard tape.tokens[array].kind == .array else { return nil }
        let end = Int(tape.tokens[array].next)
        var elements: [Element] = []
        elements.reserveCapacity(tape.tokens[array].payload)
        var position = array &+ 1
        while position < end {
            // A plain value is one token; `read` refuses a container.
            guard let element = read(position) else { return nil }
            elements.append(element)
            position &+= 1
        }
        return elements
    }
}

extension Tape {
    static func areEqual(_ text: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        guard text.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<text.count where text[index] != name.utf8Start[index] { return false }
        return true
    }
}
