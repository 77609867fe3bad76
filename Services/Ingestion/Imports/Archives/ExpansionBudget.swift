/// What a small file may expand to, bytes for one: `ratioMax`; only beyond `free` bytes, since short files may be very repetitive.
struct ExpansionLimit {
    let ratioMax: Int
    let free: Int

    static let file = ExpansionLimit(ratioMax: 200, free: 256 << 20)
    /// Of a file in an archive, which has expanded by that already: a few bytes of the archive may hold several of them, and all
    /// that they expand to is read in one step.
    static let inner = ExpansionLimit(ratioMax: 30, free: 4 << 20)

    func holds(_ expanded: Int, of compressed: Int) -> Bool {
        expanded <= free || expanded / ratioMax <= compressed
    }
}

/// What one import may expand to: the bytes of an archive's files, and of what is compressed in these once more, together. For
/// one task at a time.
final class ExpansionBudget {
    /// Expanded bytes of an import.
    static let bytesMax = 8 << 30

    private let limit: ExpansionLimit
    /// Bytes of the import itself that have come so far.
    private var compressed = 0
    private var expanded = 0

    init(_ limit: ExpansionLimit) {
        self.limit = limit
    }

    /// So many bytes of the import have come.
    func read(through count: Int) { compressed = max(compressed, count) }

    /// Whether so many bytes more may be read.
    func spend(_ bytes: Int) -> Bool {
        expanded += bytes
        return expanded <= Self.bytesMax && limit.holds(expanded, of: compressed)
    }
}
