import Postgres
import ProcessTesting
import Reactor
import ReactorTesting

/// Waits until `holds`, asking every few milliseconds; what it throws while databases are down counts as no.
func eventually(
    _ what: String, within time: Duration = .patience, _ holds: () async throws -> Bool
) async throws {
    let deadline = Deadline.after(time)
    while true {
        try Task.checkCancellation()
        do {
            if try await holds() { return }
        } catch let error as PostgresError {
            guard !deadline.hasPassed else { throw error }
        }
        guard !deadline.hasPassed else { throw ProcessFailure("never came true: \(what)") }
        try await EventLoop.current?.sleep(for: .milliseconds(10))
    }
}
