import HTTP
import Primitives
import Synchronization

/// Bounds the samples that answers hold in memory while their readers take them, of all people and of one. What an answer may
/// need is reserved before anything is read, and given back when the answer ends, is broken off or never begins.
final class HeldSamples: Sendable {
    /// About 24 to 40 bytes each.
    static let countMaxDefault = 8 * PersonSamples.samplesMax
    /// Of one person: two of the largest answers.
    static let countOfPersonMaxDefault = 2 * PersonSamples.samplesMax
    /// A bucket takes as much as so many samples.
    static let perBucket = 4

    /// Those of a process.
    static let ofProcess = HeldSamples()

    private struct State {
        var count = 0
        var people: [UUID: Int] = [:]
    }

    private let countMax: Int
    private let countOfPersonMax: Int
    private let state = Mutex(State())

    init(countMax: Int = countMaxDefault, countOfPersonMax: Int = countOfPersonMaxDefault) {
        self.countMax = countMax
        self.countOfPersonMax = countOfPersonMax
    }

    /// In all.
    var count: Int { state.withLock { $0.count } }

    func count(of account: UUID) -> Int { state.withLock { $0.people[account] ?? 0 } }

    /// What one answer has reserved, until it is released or nobody has it any more.
    final class Hold: Sendable {
        private let samples: HeldSamples
        private let account: UUID
        private let count: Mutex<Int>

        fileprivate init(_ samples: HeldSamples, _ account: UUID, _ count: Int) {
            self.samples = samples
            self.account = account
            self.count = Mutex(count)
        }

        deinit { release() }

        /// Gives back what the answer does not need.
        func shrink(to needed: Int) {
            let surplus = count.withLock { count in
                let surplus = max(0, count - needed)
                count -= surplus
                return surplus
            }
            samples.giveBack(surplus, of: account)
        }

        func release() { shrink(to: 0) }
    }

    /// Errors: 429 when the person's answers hold too much, 503 when all together do.
    func reserve(_ count: Int, for account: UUID) throws(Problem) -> Hold {
        let refusal: Problem? = state.withLock { state in
            let own = state.people[account] ?? 0
            guard own + count <= countOfPersonMax else {
                return Problem(
                    .tooManyRequests, code: "too-many-downloads",
                    detail: "take the downloads that have begun to their end first", retryAfter: .seconds(5))
            }
            guard state.count + count <= countMax else {
                return Problem(
                    .serviceUnavailable, code: "overloaded", detail: "too much is being downloaded at the moment",
                    retryAfter: .seconds(5))
            }
            state.count += count
            state.people[account] = own + count
            return nil
        }
        if let refusal { throw refusal }
        return Hold(self, account, count)
    }

    private func giveBack(_ count: Int, of account: UUID) {
        guard count > 0 else { return }
        state.withLock { state in
            state.count -= count
            let left = (state.people[account] ?? 0) - count
            state.people[account] = left > 0 ? left : nil
        }
    }
}

extension HTTPResponse {
    /// With what its body holds, which is given back when the body has been written or cannot be. A body that is no stream holds
    /// nothing.
    func holding(_ held: HeldSamples.Hold) -> HTTPResponse {
        guard case .stream(let count, let producer) = body else { return self }
        var response = self
        response.body = .stream(count: count) { writer in
            defer { held.release() }
            try await producer(writer)
        }
        return response
    }
}
