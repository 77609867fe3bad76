import Postgres

/// The subjects that were erased (ACC-12): one bit for each, for good, since a number is never given to somebody else. What comes
/// late for one of them is dropped when it is merged.
struct ErasedSubjects: Sendable {
    private static let blockBytes = CellFormat.blockSubjects / 8

    private var bits: [UInt8] = []

    @inline(__always)
    func contains(_ subject: Int32) -> Bool {
        let byte = Int(subject) >> 3
        return byte < bits.count && (bits[byte] >> UInt8(subject & 7)) & 1 == 1
    }

    /// Loads the bits of a block. Bytes of another length than a block's are refused.
    mutating func load(block: Int, bits loaded: [UInt8]) throws(ColumnError) {
        let first = block * Self.blockBytes
        guard block >= 0, block < CellFormat.subjectsMax / CellFormat.blockSubjects, loaded.count == Self.blockBytes
        else { throw .malformed }
        let missing = first + Self.blockBytes - bits.count
        if missing > 0 { bits.append(contentsOf: repeatElement(0, count: missing)) }
        bits.replaceSubrange(first..<first + Self.blockBytes, with: loaded)
    }

    /// Those of some blocks.
    static func load(blocks: Set<Int>, in session: some SQLSession) async throws -> ErasedSubjects {
        let rows = try await session.query(
            "select block, bits from erased_block where block = any (\(blocks.map { Int32($0) }))",
            as: Int32.self, [UInt8].self)
        var erased = ErasedSubjects()
        for (block, bits) in rows { try erased.load(block: Int(block), bits: bits) }
        return erased
    }

    /// Records subjects as erased, and that their values are to be removed (`ValueRemoval`); of one that is recorded nothing has
    /// come since. Numbers are below `CellFormat.subjectsMax`.
    static func adding(_ subjects: [Int32]) -> [SQL] {
        Set(subjects).sorted().map { subject in
            let place = subject % Int32(CellFormat.blockSubjects)
            var bits = [UInt8](repeating: 0, count: blockBytes)
            bits[Int(place) / 8] = 1 << UInt8(place % 8)
            return """
                with new as (
                  insert into erased_block as e (block, bits)
                  values (\(subject / Int32(CellFormat.blockSubjects)), \(bits))
                  on conflict (block) do update set bits = set_bit(e.bits, \(place), 1)
                  where get_bit(e.bits, \(place)) = 0
                  returning block)
                insert into value_removal (subject) select \(subject) from new
                """
        }
    }
}
