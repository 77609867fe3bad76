import Glibc

/// Finds a member name that an object has twice. RFC 8259 leaves open what such an object means, so it is refused.
enum DuplicateNames {
    private static let pairwiseMax = 32

    /// The token of the second of two equal names; time linear in the object's size, whatever the names.
    @inline(__always) static func first(in tape: Tape, object: Int) -> Int? {
        let count = tape.tokens[object].payload
        if count < 2 { return nil }
        return count <= pairwiseMax ? firstOfFew(in: tape, object: object) : firstOfMany(in: tape, object: object)
    }

    /// Compares a name with all before it only when a cheap signature has been seen.
    private static func firstOfFew(in tape: Tape, object: Int) -> Int? {
        let end = Int(tape.tokens[object].next)
        var seen: UInt64 = 0
        var position = object &+ 1
        while position < end {
            let name = tape.text(at: position)
            let bit = UInt64(1) << signature(name)
            if seen & bit != 0 {
                var earlier = object &+ 1
                while earlier < position {
                    if areEqual(tape.text(at: earlier), name) { return position }
                    earlier = tape.end(of: earlier &+ 1)
                }
            }
            seen |= bit
            position = tape.end(of: position &+ 1)
        }
        return nil
    }

    /// An open-addressing table of the names' tokens, by a hash that is seeded per process.
    private static func firstOfMany(in tape: Tape, object: Int) -> Int? {
        let end = Int(tape.tokens[object].next)
        var capacity = 128
        while capacity < tape.tokens[object].payload * 2 { capacity *= 2 }
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { table in
            table.initialize(repeating: 0)
            var position = object + 1
            while position < end {
                let name = tape.text(at: position)
                var hasher = Hasher()
                hasher.combine(bytes: UnsafeRawBufferPointer(name))
                var slot = hasher.finalize() & (capacity - 1)
                while table[slot] != 0 {
                    if areEqual(tape.text(at: Int(table[slot])), name) { return position }
                    slot = (slot + 1) & (capacity - 1)
                }
                table[slot] = UInt32(truncatingIfNeeded: position)
                position = tape.end(of: position + 1)
            }
            return nil
        }
    }

    @inline(__always) private static func signature(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let last = name.last else { return 0 }
        var mixed = UInt64(name.count) << 24 | UInt64(name[0]) << 16 | UInt64(name[name.count / 2]) << 8 | UInt64(last)
        mixed &*= 0x9e37_79b9_7f4a_7c15
        return mixed >> 58
    }

    @inline(__always)
    private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }
}
