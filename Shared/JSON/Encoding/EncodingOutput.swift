/// The text that an encoding writes, and the containers that are open in it. Codable never says that a container is done:
/// it is closed when something is written after it.
final class EncodingOutput {
    private struct Open {
        let serial: UInt32
        let kind: Kind
        /// The text's length when it was opened.
        let start: Int
    }

    enum Kind { case object, array, slot }

    /// Identifies an open container.
    struct Handle {
        let level: UInt32
        let serial: UInt32
    }

    // Unchecked because the run-time checks cost a fifth of an encoding; nothing that appends to one of them can come
    // back here before it is done.
    @exclusivity(unchecked) var bytes: [UInt8]
    @exclusivity(unchecked) private var open: [Open] = []
    private var serial: UInt32 = 0
    /// What could not be thrown where it happened.
    private(set) var failure: JSONError?

    init(_ bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    func take() -> [UInt8] {
        let result = bytes
        bytes = []
        return result
    }

    var level: Int { open.count }

    // MARK: Containers

    /// Opens a container for the value that begins at `level`, or finds the one that it has opened before.
    func container(_ kind: Kind, level: Int) -> Handle {
        if open.count > level {
            close(to: level + 1)
            if open[level].kind != kind { fail("a value is both an object and an array") }
            return Handle(level: UInt32(truncatingIfNeeded: level), serial: open[level].serial)
        }
        switch kind {
        case .object: JSONWriter.beginObject(into: &bytes)
        case .array: JSONWriter.beginArray(into: &bytes)
        case .slot: break
        }
        serial &+= 1
        open.append(Open(serial: serial, kind: kind, start: bytes.count))
        return Handle(level: UInt32(truncatingIfNeeded: open.count - 1), serial: serial)
    }

    /// Makes a container the innermost again, before something is written to it.
    @inline(__always) func resume(_ handle: Handle) throws(JSONError) {
        let level = Int(handle.level)
        guard level < open.count, open[level].serial == handle.serial else {
            throw JSONError(kind: .value, message: "a container is written to after it was closed")
        }
        if open.count > level &+ 1 { close(to: level + 1) }
    }

    /// The same where nothing can be thrown.
    func resumeOrFail(_ handle: Handle) {
        do {
            try resume(handle)
        } catch {
            failure = failure ?? error
        }
    }

    func close(to level: Int) {
        while open.count > level, let last = open.popLast() {
            switch last.kind {
            case .object: JSONWriter.endObject(into: &bytes)
            case .array: JSONWriter.endArray(into: &bytes)
            case .slot: if bytes.count == last.start { writeEmptyObject() }
            }
        }
    }

    func fail(_ message: String) { failure = failure ?? JSONError(kind: .value, message: message) }

    private func writeEmptyObject() {
        JSONWriter.beginObject(into: &bytes)
        JSONWriter.endObject(into: &bytes)
    }

    // MARK: Values

    /// Writes any value; one that encodes nothing becomes `{}`.
    func encode<Value: Encodable>(_ value: Value) throws(JSONError) {
        if try encodePlainArray(value) { return }
        let level = open.count
        let start = bytes.count
        guard level < JSONLimits.depthCeiling else {
            throw JSONError(kind: .limit, message: "the value is nested more than \(JSONLimits.depthCeiling) deep")
        }
        do {
            try value.encode(to: SlotEncoder(output: self, start: start, level: level))
        } catch let error as JSONError {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            throw JSONError(kind: .value, path: PathKey.text(of: context.codingPath), message: context.debugDescription)
        } catch {
            throw JSONError(
                kind: .value,
                message: (error as? any CustomStringConvertible)?.description ?? "the value cannot be written")
        }
        close(to: level)
        if let failure { throw failure }
        if bytes.count == start { writeEmptyObject() }
    }

    /// Whole arrays of plain values without a container call per element.
    @inline(__always) private func encodePlainArray<Value>(_ value: Value) throws(JSONError) -> Bool {
        if Value.self == [Double].self, let array = value as? [Double] {
            try elements(array) { (element, bytes) throws(JSONError) in try JSONWriter.number(element, into: &bytes) }
        } else if Value.self == [Int64].self, let array = value as? [Int64] {
            elements(array) { JSONWriter.integer($0, into: &$1) }
        } else if Value.self == [Int32].self, let array = value as? [Int32] {
            elements(array) { JSONWriter.integer($0, into: &$1) }
        } else if Value.self == [Int].self, let array = value as? [Int] {
            elements(array) { JSONWriter.integer($0, into: &$1) }
        } else if Value.self == [UInt8].self, let array = value as? [UInt8] {
            elements(array) { JSONWriter.integer($0, into: &$1) }
        } else if Value.self == [String].self, let array = value as? [String] {
            elements(array) { JSONWriter.string($0, into: &$1) }
        } else {
            return false
        }
        return true
    }

    @inline(__always)
    private func elements<Element, Failure: Error>(
        _ array: [Element], _ write: (Element, inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var text = take()
        defer { bytes = text }
        JSONWriter.beginArray(into: &text)
        for element in array { try write(element, &text) }
        JSONWriter.endArray(into: &text)
    }
}
