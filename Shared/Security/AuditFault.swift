/// How an audit trail was found to be broken (NFR-06).
public enum AuditFault: Sendable, Equatable {
    /// Another number than the one expected here: an entry is missing, repeated or moved.
    case sequence(expected: Int64)
    /// The hash does not follow from the entry and its predecessor: one of them was changed.
    case hash
    /// The head to check from lies before the entries that were deleted: it can be compared with nothing.
    case deleted
    /// The trail ends before, or other than at, the published head.
    case head
}
