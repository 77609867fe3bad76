import HTTP
import Primitives
import Synchronization

/// How many deliveries wait for new data at the same time: each holds a connection and some memory, which everything else needs
/// as well.
final class WaitingPlaces: Sendable {
    /// One place; freed by `leave`, at the latest when nothing refers to it.
    final class Place: Sendable {
        private let places: WaitingPlaces
        private let requester: UUID
        private let isLeft = Atomic<Bool>(false)

        fileprivate init(_ places: WaitingPlaces, _ requester: UUID) {
            self.places = places
            self.requester = requester
        }

        /// Frees the place; a second call does nothing.
        func leave() {
            if !isLeft.exchange(true, ordering: .relaxed) { places.leave(requester) }
        }

        deinit { leave() }
    }

    private struct State {
        var all = 0
        var byRequester: [UUID: Int] = [:]
    }

    /// In this process, and of one third party.
    private let allMax: Int
    private let perRequesterMax: Int
    private let state = Mutex(State())

    init(allMax: Int, perRequesterMax: Int) {
        self.allMax = allMax
        self.perRequesterMax = perRequesterMax
    }

    /// Takes a place. Errors: 429 `too-many-waiting` when the third party has all of its places, 503 `overloaded` when
    /// there are no more.
    func take(for requester: UUID) throws(Problem) -> Place {
        try state.withLock { state throws(Problem) in
            guard state.byRequester[requester, default: 0] < perRequesterMax else {
                throw Problem(
                    .tooManyRequests, code: "too-many-waiting",
                    detail: "at most \(perRequesterMax) streams and waiting reads at the same time; end some, or read "
                        + "without wait_ms", retryAfter: .seconds(1))
            }
            guard state.all < allMax else {
                throw Problem(
                    .serviceUnavailable, code: "overloaded",
                    detail: "too many streams and waiting reads are open; read without wait_ms, or try again",
                    retryAfter: .seconds(1))
            }
            state.all += 1
            state.byRequester[requester, default: 0] += 1
        }
        return Place(self, requester)
    }

    /// Those that are taken.
    var count: Int { state.withLock(\.all) }

    private func leave(_ requester: UUID) {
        state.withLock { state in
            state.all -= 1
            let left = state.byRequester[requester, default: 1] - 1
            state.byRequester[requester] = left > 0 ? left : nil
        }
    }
}
