import Glibc

/// Steps from the receiving of an upload to its block at which a test has the process killed, as by `kill -9`: at that of which
/// the environment variable `TRACKME_KILL_AT` has the name (ING-02). Only debug builds have them.
enum KillPoint: String, CaseIterable {
    /// An upload was read and checked as far as one can without what is stored.
    case received
    /// What is stored of the people of a group of uploads was read.
    case grouped
    /// The group's rows are written, not committed.
    case written
    /// The group is committed; nobody has an answer.
    case committed
    /// Arrivals that are to be sealed were read.
    case sealRead = "seal-read"
    /// Their blocks are computed.
    case sealComputed = "seal-computed"
    /// All but the last statements and the commit are done.
    case sealWritten = "seal-written"
    case sealCommitted = "seal-committed"

    init(_ step: Sealer.Step) {
        self =
            switch step {
            case .read: .sealRead
            case .computed: .sealComputed
            case .beforeCommit: .sealWritten
            case .committed: .sealCommitted
            }
    }

    #if DEBUG
        private static let chosen = getenv("TRACKME_KILL_AT").flatMap { KillPoint(rawValue: String(cString: $0)) }
    #endif

    func pass() {
        #if DEBUG
            if Self.chosen == self { raise(SIGKILL) }
        #endif
    }
}
