import Synchronization

/// Lets a few tests use the database at a time: hundreds at once on two cores would only measure how long each waits.
/// A test inside another's turn shares it.
enum TestTurns {
    private static let testsMax = 8

    private struct State {
        var free = testsMax
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())
    @TaskLocal private static var isInTurn = false

    static func with<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        guard !isInTurn else { return try await body() }
        await begin()
        defer { end() }
        return try await $isInTurn.withValue(true) { try await body() }
    }

    private static func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private static func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
