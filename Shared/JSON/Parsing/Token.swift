/// One value or member name of a parsed text. The tokens stand in the order of the text; a member is its name's token
/// followed by its value's.
struct Token {
    enum Kind: UInt32 {
        case null, `false`, `true`, integer, decimal, string, escapedString, array, object
    }

    /// Where the value begins; of a string, its first byte after the quotation mark.
    var offset: UInt32
    /// Bytes in the text; of a string, without its quotation marks. While a container is open: its parent's index.
    var length: UInt32
    /// Of a container: the index after its last token. Of an object's first name: where the next look-up begins.
    var next: UInt32
    /// The kind in the upper four bits; below, the number of members or elements of a container, or where an escaped
    /// string's plain text stands in the arena.
    private var tag: UInt32

    static let payloadMax = 1 << 27

    init(_ kind: Kind, offset: Int, length: Int, next: Int = 0, payload: Int = 0) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.length = UInt32(truncatingIfNeeded: length)
        self.next = UInt32(truncatingIfNeeded: next)
        tag = kind.rawValue << 28 | UInt32(truncatingIfNeeded: payload)
    }

    var kind: Kind {
        @inline(__always) get { Kind(rawValue: tag >> 28) ?? .null }
    }

    var payload: Int {
        @inline(__always) get { Int(tag & 0x0fff_ffff) }
    }

    @inline(__always) mutating func countOneMore() { tag &+= 1 }
}
