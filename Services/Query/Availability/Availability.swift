import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization

/// Tells third parties that data of an accepted subscription is no longer available, and that it is again (SUB-04). Ingestion knows
/// what is collected of a person, and tells in `ingestion.live` of whom that may have changed; then it is asked, of many people
/// together. Nobody asks of everybody again and again: of all people whose data third parties may have it is asked once after a start
/// and after each gap in that feed.
///
/// A third party is told of a type's state when it has lasted for a while (from once to twice the setting), of each of the two at most
/// once in an hour, and only of which types: not why, and not since when. So who switches things off and on floods nobody, hides
/// nothing else, and shows no habits beyond what the data itself does. Of a request that is not paid nothing is told: its data may not
/// be read either. The payment has ingestion asked anew, so that what is missing then is told in its time.
final class Availability: Sendable {
    /// A request's third party is told each of the two at most so often.
    static let pause = Duration.seconds(3600)
    /// A third party gets so many messages of it in an hour from each process; of whatever is more only the events tell, and the
    /// mail that counts them. Else who follows 10,000 people would get as many mails when a maker's service goes down.
    static let messagesMax = 20
    /// For how long is asked in one round, at most, and of how many people is told.
    private static let askingMax = Duration.seconds(30)
    private static let peopleMax = 1000
    private static let first = UUID(high: 0, low: 0)

    private struct Noted {
        var people: Set<UUID> = []
        /// Everybody is to be asked about. However often there is a gap, who is being asked about goes on to the last.
        var isAnybody = false
        /// Everybody after this one is being asked about.
        var allAfter: UUID?
        /// Where the look for those who are not asked about goes on: those of whom it cannot be known now hold up nobody.
        var unaskedAfter = first
        /// The messages to each third party since the first of its last hour.
        var messages: [UUID: (since: Deadline, count: Int)] = [:]
    }

    private let life: RequestLife
    private let store: AvailabilityStore
    private let ingestion: any RPCCaller
    /// Pages of people that are asked about in one round, of those of each ground.
    private let pagesMax: Int
    private let noted = Mutex(Noted())

    init(_ life: RequestLife, ingestion: any RPCCaller, settling: Duration, pagesMax: Int = 50) {
        self.life = life
        self.ingestion = ingestion
        self.pagesMax = pagesMax
        store = AvailabilityStore(database: life.database, settling: settling)
    }

    // MARK: What happens

    /// What is collected of these people may have changed.
    func mayHaveChanged(_ people: Set<UUID>) { noted.withLock { $0.people.formUnion(people) } }

    /// It may have changed of anybody.
    func mayHaveChanged() { noted.withLock { $0.isAnybody = true } }

    /// Asks about whom that is to be known of, and tells what has lasted for long enough.
    func round() async throws {
        let end = Deadline.after(Self.askingMax)
        do {
            try await askAboutNoted(until: end)
            try await askAboutUnasked(until: end)
            try await askAboutAll(until: end)
        } catch let error as RPCError {
            life.log.warning("what is collected of people is not known", ["error": Log.text(of: error)])
        }
        try await tell()
    }

    // MARK: Asking

    private func askAboutNoted(until end: Deadline) async throws {
        for _ in 0..<pagesMax where !end.hasPassed {
            let people = noted.withLock { noted in
                let people = Array(noted.people.prefix(Ingestion.Collected.peopleMax))
                noted.people.subtract(people)
                return people
            }
            guard !people.isEmpty else { return }
            do { try await ask(people) } catch {
                mayHaveChanged(Set(people))
                throw error
            }
        }
    }

    /// Those whose consents have changed, and those of whom it could not be known.
    private func askAboutUnasked(until end: Deadline) async throws {
        for _ in 0..<pagesMax where !end.hasPassed {
            let people = try await store.unasked(
                after: noted.withLock(\.unaskedAfter), limit: Ingestion.Collected.peopleMax)
            let next = people.count < Ingestion.Collected.peopleMax ? nil : people.last?.id
            noted.withLock { $0.unaskedAfter = next ?? Self.first }
            let (wanted, others) = (people.filter(\.isFollowed), people.filter { !$0.isFollowed })
            try await store.leave(others)
            if !wanted.isEmpty { try await ask(wanted.map(\.id)) }
            guard next != nil else { return }
        }
    }

    private func askAboutAll(until end: Deadline) async throws {
        for _ in 0..<pagesMax where !end.hasPassed {
            let next = noted.withLock { noted in
                if noted.allAfter == nil, noted.isAnybody { (noted.allAfter, noted.isAnybody) = (Self.first, false) }
                return noted.allAfter
            }
            guard let after = next else { return }
            let people = try await store.all(after: after, limit: Ingestion.Collected.peopleMax)
            let followed = people.filter(\.isFollowed).map(\.id)
            if !followed.isEmpty { try await ask(followed) }
            noted.withLock { $0.allAfter = people.count < Ingestion.Collected.peopleMax ? nil : people.last?.id }
        }
    }

    /// Of whom it is not known now is asked again.
    private func ask(_ people: [UUID]) async throws {
        let asked = try await store.now()
        let answer = try await ingestion.call(Ingestion.Collected.self, .init(accountIDs: people)).people
        try await store.note(answer.map { ($0.accountID, DataType.mask($0.types)) }, askedAt: asked)
        let unknown = Set(people).subtracting(answer.map(\.accountID))
        if !unknown.isEmpty { try await store.askAgain(unknown.sorted(), askedAt: asked) }
    }

    // MARK: Telling

    private func tell() async throws {
        var count = 0
        while count < Self.peopleMax {
            let settled = try await store.settled(limit: 100, longest: Self.pause)
            guard !settled.isEmpty else { return }
            count += settled.count
            for person in settled {
                var restAt: Timestamp?
                for request in try await store.subscriptions(of: person) {
                    let later = try await reporting(
                        "a third party cannot be told of what is collected", of: request, to: life.log
                    ) { try await tell(request, collected: person.lasting) }
                    let next = if let later { later } else { Optional(try await store.now() + Self.pause) }
                    if let next { restAt = min(restAt ?? next, next) }
                }
                try await store.done(person, next: restAt)
            }
        }
    }

    /// Tells of one request, in a transaction of its own. Returns when there is more to tell; of one that is not paid it is looked at
    /// again in any case, since prices may be turned off, too.
    private func tell(_ id: UUID, collected: Int64) async throws -> Timestamp? {
        let life = life
        let told = try await life.database.transaction { transaction -> (restAt: Timestamp?, requester: UUID?) in
            guard let request = try await life.store.lock(id, in: transaction), request.state == .accepted,
                request.mode == .subscription, request.runID == nil, let types = request.acceptedTypes,
                let before = try await AvailabilityStore.told(of: id, in: transaction)
            else { return (nil, nil) }
            let now = try await transaction.certainTime(by: life.clock)
            // Nothing that is measured after the period is given.
            guard request.to > now else { return (nil, nil) }
            guard try await life.pricing?.isPaid(request, in: transaction) ?? true else {
                return (before.now + Self.pause, nil)
            }
            var after = before.told
            let next = after.tell(
                missing: DataType.mask(types) & ~collected, at: before.now, pause: Self.pause)
            guard after != before.told else { return (next.restAt, nil) }
            try await AvailabilityStore.set(after, of: id, in: transaction)
            for (kind, mask) in [(Event.Kind.unavailable, next.gone), (.available, next.back)] where mask != 0 {
                let types = DataType.types(ofMask: mask)
                try await life.events.log.add(
                    kind, of: id, to: request.requesterID, types: types, at: now, in: transaction)
                guard mayTellByMessage(request.requesterID) else { continue }
                try await life.outbox.add([.availability(kind, types, of: request)], at: now, in: transaction)
            }
            return (next.restAt, request.requesterID)
        }
        if let requester = told.requester {
            life.outbox.wake()
            life.events.writer.changed(requester)
        }
        return told.restAt
    }

    private func mayTellByMessage(_ requester: UUID) -> Bool {
        noted.withLock { noted in
            let now = Deadline.now()
            noted.messages = noted.messages.filter { now < $0.value.since.advanced(by: Self.pause) }
            var told = noted.messages[requester] ?? (now, 0)
            guard told.count < Self.messagesMax else { return false }
            told.count += 1
            noted.messages[requester] = told
            return true
        }
    }
}
