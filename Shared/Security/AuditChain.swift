/// The head of an audit trail, which entries are checked against (NFR-06); `deploy/postgres/audit-tables.sql` appends them. Published now and then, a
/// head proves everything up to it: whoever changes, removes or reorders an entry changes every hash after it.
///
/// An entry's hash is SHA-256 of: the hash before it ‖ sequence ‖ number of fields ‖ per field: length of the name,
/// name, 0 when absent, or 1, length of the value, value. All numbers are 64-bit big-endian, so that no two entries
/// agree in these bytes.
public struct AuditChain: Sendable, Equatable {
    /// Of the last entry; 0 before the first.
    public private(set) var sequence: Int64
    /// Of the last entry; 32 zero bytes before the first.
    public private(set) var hash: [UInt8]

    /// The empty trail.
    public init() {
        sequence = 0
        hash = [UInt8](repeating: 0, count: 32)
    }

    /// A head that was kept.
    public init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Moves on to an entry that was kept, or throws `auditBroken` and stays.
    public mutating func check(_ entry: AuditEntry) throws(SecurityError) {
        guard entry.sequence == sequence + 1 else {
            throw .auditBroken(sequence: entry.sequence, .sequence(expected: sequence + 1))
        }
        guard constantTimeEqual(entry.hash, Self.hash(after: hash, sequence: entry.sequence, entry.fields)) else {
            throw .auditBroken(sequence: entry.sequence, .hash)
        }
        sequence = entry.sequence
        hash = entry.hash
    }

    /// Checks a stretch of the trail between two heads. Without the second, entries removed from the end go unnoticed.
    public static func verify(
        _ entries: some Sequence<AuditEntry>, from start: AuditChain = AuditChain(), to end: AuditChain?
    ) throws(SecurityError) {
        var chain = start
        for entry in entries { try chain.check(entry) }
        if let end, chain != end { throw .auditBroken(sequence: chain.sequence, .head) }
    }

    static func hash(after previous: [UInt8], sequence: Int64, _ fields: [AuditEntry.Field]) -> [UInt8] {
        var bytes = previous
        func append(_ number: Int64) { withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) } }
        append(sequence)
        append(Int64(fields.count))
        for field in fields {
            append(Int64(field.name.utf8.count))
            bytes.append(contentsOf: field.name.utf8)
            guard let value = field.value else {
                bytes.append(0)
                continue
            }
            bytes.append(1)
            append(Int64(value.count))
            bytes.append(contentsOf: value)
        }
        return Digest.sha256(bytes)
    }
}
