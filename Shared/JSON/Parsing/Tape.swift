import Glibc

/// A parsed text: its bytes, its tokens, and the plain text of its strings that were written with escapes. One task at a
/// time may use it, since looking up members moves their object's look-up position.
final class Tape {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    private(set) var tokens: UnsafeMutablePointer<Token>
    private(set) var tokenCount = 0
    private var tokenCapacity: Int
    private var arena: UnsafeMutablePointer<UInt8>?
    private(set) var arenaCount = 0
    private var arenaCapacity = 0
    private let ownsBytes: Bool
    /// Which members were asked for, when others are refused.
    var marks: MemberMarks?
    /// Set while faults are collected.
    var faults: FaultCollection?

    /// Copies `source` unless `borrowing`, when the caller keeps it alive as long as the tape.
    init(_ source: UnsafeRawBufferPointer, borrowing: Bool) {
        count = source.count
        ownsBytes = !borrowing || source.isEmpty
        if !ownsBytes, let base = source.baseAddress {
            bytes = base.assumingMemoryBound(to: UInt8.self)
        } else {
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, source.count))
            UnsafeMutableRawBufferPointer(start: copy, count: source.count).copyMemory(from: source)
            bytes = UnsafePointer(copy)
        }
        tokenCapacity = source.count / 8 + 16
        tokens = .allocate(capacity: tokenCapacity)
    }

    deinit {
        if ownsBytes { bytes.deallocate() }
        tokens.deallocate()
        arena?.deallocate()
    }

    @inline(__always) func append(_ token: Token) {
        if tokenCount == tokenCapacity { growTokens() }
        (tokens + tokenCount).initialize(to: token)
        tokenCount &+= 1
    }

    @inline(never) private func growTokens() {
        let larger = UnsafeMutablePointer<Token>.allocate(capacity: tokenCapacity * 2)
        larger.moveInitialize(from: tokens, count: tokenCount)
        tokens.deallocate()
        tokens = larger
        tokenCapacity *= 2
    }

    /// Appends the plain text of an escaped string (already checked) to the arena, after its length in four bytes.
    func unescape(from start: Int, to end: Int) -> Int {
        let needed = arenaCount + 4 + end - start
        if needed > arenaCapacity {
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: max(needed, arenaCapacity * 2))
            if let arena {
                larger.moveInitialize(from: arena, count: arenaCount)
                arena.deallocate()
            }
            arena = larger
            arenaCapacity = max(needed, arenaCapacity * 2)
        }
        guard let arena else { return 0 }
        let entry = arenaCount
        let length = Unescaping.plainText(of: bytes + start, count: end - start, into: arena + entry + 4)
        UnsafeMutableRawPointer(arena + entry).storeBytes(of: UInt32(length), as: UInt32.self)
        arenaCount = entry + 4 + length
        return entry
    }

    // MARK: Reading

    /// The index after the value at `index` and all it holds.
    @inline(__always) func end(of index: Int) -> Int {
        switch tokens[index].kind {
        case .array, .object: Int(tokens[index].next)
        default: index &+ 1
        }
    }

    /// The plain text of a string or member name.
    @inline(__always) func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
        let token = tokens[index]
        if token.kind == .escapedString, let arena {
            let entry = arena + token.payload
            let length = UnsafeRawPointer(entry).loadUnaligned(as: UInt32.self)
            return UnsafeBufferPointer(start: entry + 4, count: Int(length))
        }
        return UnsafeBufferPointer(start: bytes + Int(token.offset), count: Int(token.length))
    }

    @inline(__always) func string(of index: Int) -> String { String(decoding: text(at: index), as: UTF8.self) }

    /// The bytes of the text that a value takes, quotation marks included.
    func range(of index: Int) -> Range<Int> {
        let token = tokens[index]
        let start = Int(token.offset)
        switch token.kind {
        case .string, .escapedString: return start - 1..<start + Int(token.length) + 1
        default: return start..<start + Int(token.length)
        }
    }

    /// The value of a member, looked for from the one after the last found: members mostly come in the order in which
    /// they are asked for.
    @inline(__always) func member(_ name: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
        let first = object &+ 1
        let last = Int(tokens[object].next)
        guard last > first, let wanted = name.baseAddress else { return last > first ? emptyMember(of: object) : nil }
        let start = Int(tokens[first].next)
        var position = start
        repeat {
            let candidate = text(at: position)
            let value = position &+ 1
            var following = end(of: value)
            if following == last { following = first }
            if candidate.count == name.count, let have = candidate.baseAddress, memcmp(have, wanted, name.count) == 0 {
                tokens[first].next = UInt32(truncatingIfNeeded: following)
                return value
            }
            position = following
        } while position != start
        return nil
    }

    private func emptyMember(of object: Int) -> Int? {
        var position = object + 1
        while position < Int(tokens[object].next) {
            if tokens[position].length == 0 { return position + 1 }
            position = end(of: position + 1)
        }
        return nil
    }

    @inline(__always) func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { member($0, of: object) }
    }

    // MARK: Editing during parsing

    @inline(__always) func countOneMore(in container: Int) { tokens[container].countOneMore() }

    @inline(__always) func close(_ index: Int, at offset: Int) {
        tokens[index].length = UInt32(truncatingIfNeeded: offset) &- tokens[index].offset
        tokens[index].next = UInt32(truncatingIfNeeded: tokenCount)
    }
}
