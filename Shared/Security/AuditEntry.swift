/// One line of the audit trail, with the hash that ties it to all before it (NFR-06).
public struct AuditEntry: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        /// `nil` is absent, which is not the same as empty.
        public let value: [UInt8]?

        public init(_ name: String, _ value: [UInt8]?) {
            self.name = name
            self.value = value
        }

        public init(_ name: String, _ value: String?) {
            self.init(name, value.map { Array($0.utf8) })
        }
    }

    /// 1 for the first entry, and one more for each.
    public let sequence: Int64
    /// In the order they are hashed in.
    public let fields: [Field]
    /// 32 bytes.
    public let hash: [UInt8]

    /// As it was read from where it is kept.
    public init(sequence: Int64, fields: [Field], hash: [UInt8]) {
        self.sequence = sequence
        self.fields = fields
        self.hash = hash
    }
}
