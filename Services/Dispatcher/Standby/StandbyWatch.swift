import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Security
import Service
import Synchronization

/// Judges samples that the database has not taken in time (SOS-05, SOS-07): with the same machines, from what is in memory
/// of the people, and opens incidents through the local journal. When the samples come again with the database, they give
/// the same incident.
///
/// What is judged here is kept beside what is committed, and thrown away when the commits have come as far.
final class StandbyWatch: Sendable {
    /// People who are judged at the same time without the database, about 5 kB each; of others who send, none is.
    static let peopleMax = 100_000

    private struct Working {
        var person: WatchedPerson
        /// The version of the enrolment that it was made from.
        let enrolled: Int64
    }

    let people: WatchedPeople
    let desk: HandOverDesk
    private let working = Mutex<[Int: [UUID: Working]]>([:])
    private let judged: Counter
    private let unknown: Counter

    private var standby: Standby { people.standby }

    init(people: WatchedPeople, desk: HandOverDesk, metrics: Metrics) {
        (self.people, self.desk) = (people, desk)
        judged = metrics.counter(
            "trackme_standby_uploads_total", "Uploads of watched people that were judged without the database.")
        unknown = metrics.counter(
            "trackme_standby_unknown_total",
            "Uploads that could not be judged without the database: their people, or their keys, are not in memory.")
    }

    /// Judges uploads of one of ingestion's shards, in their order; returns those who could not be judged, since they are not in memory. For whoever passes samples on that are in no feed, too
    /// (provisional ones): a shard of their own keeps them apart until `end(shard:)`.
    @discardableResult
    func observe(_ uploads: [WatchedPeople.Upload], ofShard shard: Int) async -> Set<UUID> {
        let held = await people.keys.keysAtHand(of: Set(uploads.map(\.samples.accountID)))
        var strangers: Set<UUID> = []
        for upload in uploads {
            let account = upload.samples.accountID
            let isKnown = await judge(account, shard) { now in
                person(account, shard, held, at: now)
            } by: { person, now in
                guard var seen = Observation(upload.samples, now: now, heldFor: upload.age) else { return false }
                seen.isProvisional = upload.isProvisional
                judged.increment()
                person.observe(seen, in: people.surroundings(at: now))
                return true
            }
            guard !isKnown else { continue }
            unknown.increment()
            strangers.insert(account)
        }
        await judgeBacklog(ofShard: shard)
        return strangers
    }

    /// What is committed has come as far as what was judged here.
    func end(shard: Int) { working.withLock { $0[shard] = nil } }

    /// People of whom more is known here than is committed.
    var workingCount: Int { working.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Critical states that were read late are judged when their time has come: nothing that came after them is waited for
    /// longer.
    private func judgeBacklog(ofShard shard: Int) async {
        let now = standby.clock.now()
        let due = working.withLock { working in
            (working[shard] ?? [:]).filter { $0.value.person.monitor.judgeBy.map { $0 <= now } ?? false }.keys.sorted()
        }
        for account in due {
            await judge(account, shard) { [self] _ in
                working.withLock { $0[shard]?[account]?.person }
            } by: { person, now in
                guard person.monitor.judgeBy.map({ $0 <= now }) ?? false else { return false }
                person.judgeBacklog(isRead: false, in: people.surroundings(at: now))
                return true
            }
        }
    }

    /// Finds the person in their turn, judges by `body`, which may have nothing to judge, and brings what was found to whoever has the
    /// person's open incident. False when the person is not known.
    @discardableResult
    private func judge(
        _ account: UUID, _ shard: Int, _ find: (Timestamp) -> WatchedPerson?,
        by body: (inout WatchedPerson, Timestamp) -> Bool
    ) async -> Bool {
        await desk.opening(of: account) {
            let now = standby.clock.now()
            guard var person = find(now) else { return false }
            await followIncident(of: &person, at: now)
            let before = person.incident
            if body(&person, now) { await carryOut(&person, after: before, shard) }
            return true
        }
    }

    /// What has become of the person's incident meanwhile, as far as only this machine knows of it.
    private func followIncident(of person: inout WatchedPerson, at now: Timestamp) async {
        person.leaveEnded(await desk.endedEmergencies(of: person.wearer.account, and: person.incident?.id))
        // By the button.
        if person.incident == nil { person.incident = await desk.openIncident(of: person.wearer.account, at: now) }
    }

    private func person(
        _ account: UUID, _ shard: Int, _ held: [UUID: Result<SubjectKey, any Error>], at now: Timestamp
    ) -> WatchedPerson? {
        let entry = standby.roster[account]
        if let known = working.withLock({ $0[shard]?[account] }),
            entry.map({ $0.enrolled.version == known.enrolled }) ?? true
        {
            return known.person
        }
        guard let entry, let key = try? held[account]?.get(), workingCount < Self.peopleMax else { return nil }
        do {
            var person = try people.person(account, entry, key: key, at: now)
            person.incident = entry.incident
            return person
        } catch {
            people.log.error(
                "somebody cannot be watched without the database",
                ["account": .string(account.description), "error": Log.text(of: error)])
            return nil
        }
    }

    /// Brings what was judged to the couriers; `before` is the person's open incident as it was before.
    private func carryOut(_ person: inout WatchedPerson, after before: IncidentRecord?, _ shard: Int) async {
        let outcome = person.takeOutcome()
        let account = person.wearer.account
        let version = person.enrolledVersion
        working.withLock { [person] in $0[shard, default: [:]][account] = Working(person: person, enrolled: version) }
        for record in outcome.changed { await desk.follow(record, after: before) }
        guard let opened = outcome.opened else { return }
        standby.noteOpened(opened.id)
        people.log.warning(
            "an emergency is handed over without the database", ["incident": .string(opened.id.description)])
        await desk.open(opened, at: standby.clock.now())
    }
}
