import HTTP
import Synchronization

/// How many group requests are computed at the same time, in this process: each holds all profiles in memory, and a
/// connection to the database for up to a minute.
final class ComputingPlaces: Sendable {
    private let placesMax: Int
    private let taken = Mutex(0)

    init(_ placesMax: Int) {
        precondition(placesMax > 0)
        self.placesMax = placesMax
    }

    /// The result of `body`, which has a place until it ends. Errors: 503 `overloaded` when there is none.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try take()
        defer { taken.withLock { $0 -= 1 } }
        return try await body()
    }

    private func take() throws(Problem) {
        try taken.withLock { taken throws(Problem) in
            guard taken < placesMax else {
                throw Problem(
                    .serviceUnavailable, code: "overloaded", detail: "too many group requests are being computed",
                    retryAfter: .seconds(2))
            }
            taken += 1
        }
    }
}
