import HTTP
import Primitives
import Reactor
import Security
import Service
import Synchronization
import Telemetry

/// Lets few questions of one person about the own data be answered at the same time, so that somebody who asks a hundred times at
/// once waits for the own answers, and not everybody for them. In each replica by itself.
final class QuestionTurns: Sendable {
    static let runningMax = 2
    /// As many as a page asks for at once.
    static let waitingMax = 10

    /// Those of a process.
    static let ofProcess = QuestionTurns()

    private struct Person {
        var running = 0
        var waiting = 0
        /// Counts questions that were answered.
        let answered = EventCounter()
    }

    /// Those who ask at the moment: no more than there are requests.
    private let people = Mutex<[UUID: Person]>([:])

    /// How many of somebody's questions are answered at the moment, and wait.
    func asked(by account: UUID) -> (running: Int, waiting: Int) {
        people.withLock { people in people[account].map { ($0.running, $0.waiting) } ?? (0, 0) }
    }

    /// Calls `body` when it is the question's turn. Errors: 429 when too many wait already; `cancelled` and `timedOut` while it
    /// waits; those of `body`.
    func run<R>(of account: UUID, _ body: () async throws -> R) async throws -> R {
        try await begin(account)
        defer { end(account) }
        return try await body()
    }

    private func begin(_ account: UUID) async throws {
        let answered: EventCounter? = try people.withLock { people in
            var person = people[account] ?? Person()
            defer { people[account] = person }
            guard person.running >= Self.runningMax else {
                person.running += 1
                return nil
            }
            guard person.waiting < Self.waitingMax else {
                throw Problem(
                    .tooManyRequests, code: "too-many-questions",
                    detail: "\(Self.runningMax + Self.waitingMax) of your questions are being answered",
                    retryAfter: .seconds(1))
            }
            person.waiting += 1
            return person.answered
        }
        guard let answered else { return }
        let deadline = RequestScope.current?.deadline ?? .never
        while true {
            let seen = answered.value
            if hasTurn(account) { return }
            guard !Task.isCancelled, !deadline.hasPassed else {
                change(account) { $0.waiting -= 1 }
                throw Task.isCancelled ? IOError.cancelled : IOError.timedOut
            }
            _ = await answered.wait(after: seen, deadline: deadline)
        }
    }

    private func hasTurn(_ account: UUID) -> Bool {
        people.withLock { people in
            guard var person = people[account], person.running < Self.runningMax else { return false }
            person.running += 1
            person.waiting -= 1
            people[account] = person
            return true
        }
    }

    private func end(_ account: UUID) { change(account) { $0.running -= 1 }?.raise() }

    /// Forgets who asks nothing any more.
    @discardableResult
    private func change(_ account: UUID, _ body: (inout Person) -> Void) -> EventCounter? {
        people.withLock { people in
            guard var person = people[account] else { return nil }
            body(&person)
            people[account] = person.running + person.waiting > 0 ? person : nil
            return person.answered
        }
    }
}

extension ServiceRoutes {
    /// A question of a person about the own data, in its turn.
    mutating func onQuestion(
        _ pattern: String, query: QueryPolicy = .refused, _ handler: @escaping AccountHandler
    ) {
        on(.get, pattern, access: .account(.individual), query: query) { request, caller in
            try await QuestionTurns.ofProcess.run(of: caller.account) { try await handler(request, caller) }
        }
    }
}
