/// The values of a statement in PostgreSQL's binary format, one after the other in one buffer.
struct Binds: Sendable {
    struct Entry: Sendable {
        let type: UInt32
        let offset: Int32
        /// -1 for NULL.
        let length: Int32
        /// Where the placeholder stands in the statement's text, in bytes.
        let mark: Int32
    }

    private(set) var entries: [Entry] = []
    private var bytes: [UInt8] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    mutating func reserve(_ values: Int) {
        guard values > 0 else { return }
        entries.reserveCapacity(values)
        bytes.reserveCapacity(16 * values)
    }

    mutating func append<T: PostgresEncodable>(_ value: T, mark: Int) {
        let offset = bytes.count
        let isNull = value.isPostgresNull
        if !isNull { value.encodePostgres(into: &bytes) }
        entries.append(
            Entry(
                type: T.postgresType.oid, offset: Int32(clamping: offset),
                length: isNull ? -1 : Int32(clamping: bytes.count - offset), mark: Int32(clamping: mark)))
    }

    mutating func append(_ other: Binds, _ index: Int, mark: Int) {
        let entry = other.entries[index]
        let offset = bytes.count
        if entry.length > 0 { bytes += other.bytes[Int(entry.offset)..<Int(entry.offset + entry.length)] }
        entries.append(
            Entry(type: entry.type, offset: Int32(clamping: offset), length: entry.length, mark: Int32(clamping: mark)))
    }

    /// Whether the protocol can carry these: at most 65,535 values of at most 1 GiB together.
    var isSendable: Bool { entries.count <= 65_535 && bytes.count < 1 << 30 }

    /// Hands libpq's three parallel arrays (values, lengths, formats) to `body`.
    func withParameters(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Int32
    ) -> Int32 {
        guard !entries.isEmpty else { return body(nil, nil, nil) }
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: entries.count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * entries.count) { numbers in
                bytes.withUnsafeBytes { bytes in
                    // An empty value needs an address that is not null: NULL is what a null address means.
                    let base = bytes.baseAddress ?? UnsafeRawPointer(numbers.baseAddress)
                    for index in entries.indices {
                        let entry = entries[index]
                        let address = base?.advanced(by: Int(entry.offset)).assumingMemoryBound(to: CChar.self)
                        values[index] = entry.length < 0 ? nil : address
                        numbers[index] = max(0, entry.length)
                        numbers[entries.count + index] = 1
                    }
                    return body(
                        values.baseAddress, numbers.baseAddress, numbers.baseAddress?.advanced(by: entries.count))
                }
            }
        }
    }

    /// Whether the parameters have these types.
    func hasTypes(_ types: [UInt32]) -> Bool {
        guard types.count == entries.count else { return false }
        for index in entries.indices where types[index] != entries[index].type { return false }
        return true
    }

    var types: [UInt32] { entries.map(\.type) }
}
