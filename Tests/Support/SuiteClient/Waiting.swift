import HTTP
public import Reactor

/// Waits of a fixed length on the loop that we are on.
public func pause(for duration: Duration) async throws(SuiteError) {
    try await pause(until: .after(duration))
}

/// Errors: `unexpected` when the task is cancelled.
public func pause(until deadline: Deadline) async throws(SuiteError) {
    guard let loop = EventLoop.current else { preconditionFailure("a pause outside an event loop") }
    do throws(IOError) { try await loop.sleep(until: deadline) } catch {
        throw .unexpected("A wait was broken off: \(error).")
    }
}

/// What `look` finds, as soon as it finds something; asked again every `interval`. Errors: `look`'s, and `unexpected` with
/// `what` when nothing came in time.
public func eventually<T: Sendable>(
    _ what: String, within time: Duration, every interval: Duration = .milliseconds(50),
    _ look: () async throws(SuiteError) -> T?
) async throws(SuiteError) -> T {
    let deadline = Deadline.after(time)
    while true {
        if let found = try await look() { return found }
        guard deadline.remaining > interval else { throw .unexpected("\(what) within \(time).") }
        try await pause(for: interval)
    }
}

/// What `call` answers; when it is refused with 503 or has no answer, called again `interval` later, and at most `tries`
/// times in all.
public func patiently<T: Sendable>(
    tries: Int, every interval: Duration = .milliseconds(500), _ call: () async throws(SuiteError) -> T
) async throws(SuiteError) -> T {
    var left = tries
    while true {
        do throws(SuiteError) { return try await call() } catch {
            left -= 1
            guard left > 0 else { throw error }
            switch error {
            case .refused(_, .serviceUnavailable, _, _), .unreachable: break
            case .refused, .unexpected, .local: throw error
            }
        }
        try await pause(for: interval)
    }
}

/// How long something took.
public struct Stopwatch: Sendable {
    private let began = Deadline.now()

    public init() {}

    public var elapsed: Duration { Deadline.now().since(began) }
}

extension Duration {
    /// For people: `38 ms`, `4.2 s`.
    public var brief: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
    }
}
