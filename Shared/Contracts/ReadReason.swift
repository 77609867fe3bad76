public import Primitives

extension Ingestion {
    /// Why a person's data is read, and for whom: the entry of the audit trail beside the service that calls (NFR-06).
    public struct ReadReason: Codable, Sendable {
        /// 1 to 100 bytes, the same of all reads that belong together: "request 0190…".
        public var purpose: String
        /// The account that asks; `nil` when the calling service asks for itself.
        public var onBehalfOf: UUID?
        public init(purpose: String, onBehalfOf: UUID? = nil) {
            self.purpose = purpose
            self.onBehalfOf = onBehalfOf
        }
    }
}
