internal import HTTP
public import RPC
internal import Security
internal import Synchronization

/// Whether a service withholds what it has, since it may have people in it again who were erased: a backup was restored
/// (ACC-12). Devices go on uploading, and requests that carry a secret of their own are answered: nothing stops an alarm.
public final class Withholding: Sendable {
    private static let pauseSeconds = 5

    /// Databases that are behind.
    private let count = Atomic<Int>(0)

    public init() {}

    public var isOn: Bool { count.load(ordering: .acquiring) > 0 }

    /// Each `begin` is answered by one `end`.
    public func begin() { count.add(1, ordering: .acquiringAndReleasing) }
    public func end() { count.subtract(1, ordering: .acquiringAndReleasing) }

    func check(_ access: OpenAccess) throws(Problem) {
        guard isOn, access != .secretInRequest else { return }
        throw Self.refusal
    }

    func check(_ identity: Identity) throws(Problem) {
        guard isOn, identity.kind != .device else { return }
        throw Self.refusal
    }

    /// For methods that tell a neighbour what the service has of somebody. Those that alarms need do not call it.
    public func checkCall() throws(RPCError) {
        guard isOn else { return }
        throw RPCError(.unavailable, Self.reason)
    }

    private static let reason =
        "a backup was restored, and what was erased since is being erased again; try again soon"

    private static var refusal: Problem {
        Problem(
            .serviceUnavailable, code: "restoring",
            detail: reason, fields: ["Retry-After": "\(pauseSeconds)"])
    }
}
