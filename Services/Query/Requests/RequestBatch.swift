import Domain
import Edge
import HTTP
import JSON
import Primitives
import Reactor
import Service
import Telemetry

/// Requests to several people on the same terms, by one call (REQ-01). Each is created, refused and counted as one that is sent by
/// itself, in the order of the list.
///
/// A few are under way at a time: a step reserves as many look-ups as there is room for (`SearchLimit`), so what fits into the
/// third party's limits does not depend on how fast neighbours answer. A thousand people are 125 steps of about 50 ms.
/// With an idempotency key what came of each person is kept: the same call, sent again, goes on with those for whom
/// nothing was decided yet, because it broke off, or a limit was reached, or a neighbour was away.
struct RequestBatch: Sendable {
    static let deadline = Duration.seconds(60)
    static let peopleMax = 1000
    private static let atOnce = 8
    /// No step begins with less time left, and none takes longer.
    private static let stepTime = Duration.seconds(10)

    let creation: RequestCreation
    let log: Log

    private struct Asked: Sendable {
        /// In the list of people, from 0.
        let index: Int
        let person: NamedPerson
    }

    /// Of terms that were checked. Errors: 403, and what keeps it from beginning, but limits.
    func create(
        _ draft: BatchDraft, by requester: UUID, until deadline: Deadline, trace: TraceContext,
        keeping claim: IdempotencyClaim?
    ) async throws -> [BatchItem] {
        let asker = try await creation.asker(requester)
        var items =
            try await claim?.parts().reduce(into: [Int: BatchItem]()) { items, part in
                items[part.key - 1] = try JSONDecoder().decode(BatchItem.self, from: part.value)
            } ?? [:]
        var rest = Self.toDo(draft.people, &items)[...]
        var (hasBegun, refusal) = (false, Problem?.none)
        while refusal == nil, !rest.isEmpty {
            do {
                guard deadline.remaining >= Self.stepTime else { throw Self.late }
                let scope = RequestScope(deadline: min(deadline, .after(Self.stepTime)), trace: trace)
                let done = try await RequestScope.$current.withValue(scope) {
                    try await step(rest.prefix(Self.atOnce), draft.terms, by: asker, keeping: claim)
                }
                for (asked, item) in zip(rest, done) { items[asked.index] = item }
                rest = rest.dropFirst(done.count)
                hasBegun = true
            } catch {
                let problem = Problem(error, log: log)
                guard hasBegun || problem.status == .tooManyRequests else { throw problem }
                refusal = problem
            }
        }
        if let refusal { for asked in rest { items[asked.index] = BatchItem(refusal) } }
        return draft.people.indices.compactMap { items[$0] }
    }

    private static let late = Problem(
        .serviceUnavailable, code: "deadline-exceeded", detail: "the call took too long: send it again for the rest",
        retryAfter: .seconds(1))

    /// Those who are neither done nor named wrongly. Who is named twice is asked once.
    private static func toDo(_ people: [BatchPerson], _ items: inout [Int: BatchItem]) -> [Asked] {
        var known: Set<String> = []
        var toDo: [Asked] = []
        for (index, named) in people.enumerated() {
            do throws(Problem) {
                let person = try named.checked()
                guard known.insert(person.searched).inserted else {
                    throw BatchPerson.fault("this person is named twice")
                }
                if items[index] == nil { toDo.append(Asked(index: index, person: person)) }
            } catch { items[index] = BatchItem(error) }
        }
        return toDo
    }

    /// What came of the first of `people`, as many as there is room for, at least one. Throws when there is none.
    private func step(
        _ people: ArraySlice<Asked>, _ terms: AskedTerms, by asker: RequestCreation.Asker,
        keeping claim: IdempotencyClaim?
    ) async throws -> [BatchItem] {
        let reservation = try await creation.search.reserve(
            people.map(\.person.searched), by: asker.id, at: creation.clock.now())
        if reservation.attempts.isEmpty, let refusal = reservation.refusal { throw refusal }
        let outcomes = await withTaskGroup(of: (Int, Result<RequestCreation.Created, any Error>).self) { group in
            for (number, asked) in zip(reservation.attempts.indices, people) {
                group.addTask { (number, await ask(asked, terms, by: asker, keeping: claim)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        await creation.search.settle(
            reservation.attempts.enumerated().compactMap { number, attempt in
                outcomes[number].map { (attempt, isMiss: RequestCreation.isMiss($0)) }
            })
        return reservation.attempts.indices.compactMap { outcomes[$0].map { BatchItem($0, log: log) } }
    }

    private func ask(
        _ asked: Asked, _ terms: AskedTerms, by asker: RequestCreation.Asker, keeping claim: IdempotencyClaim?
    ) async -> Result<RequestCreation.Created, any Error> {
        let part = asked.index + 1
        do {
            return .success(
                try await creation.ask(asked.person, terms, by: asker) { created, transaction in
                    let item = BatchItem(created)
                    try await claim?.keep(part: part, try JSONEncoder().encode(item), in: transaction)
                })
        } catch let refusal as Problem {
            do {
                let item = BatchItem(refusal)
                if item.isFinal {
                    try await claim?.keep(part: part, try JSONEncoder().encode(item), in: creation.life.database)
                }
                return .failure(refusal)
            } catch { return .failure(error) }
        } catch { return .failure(error) }
    }
}
