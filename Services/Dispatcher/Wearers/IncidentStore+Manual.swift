import Postgres
import Primitives
import Reactor
import Service

/// Emergencies that somebody calls by hand (SOS-12a). There is no limit to them: nobody who means harm is worth a call that is not
/// made. What is bounded is what one press costs, and how often an open emergency is updated by further ones.
extension IncidentStore {
    /// After so many in a day the operator is told of the person, who may need other help than an ambulance.
    static let callsNotableMin = 5

    struct ManualOpening: Sendable {
        /// The open emergency, new or not.
        let id: UUID
        /// One that this call has opened, with the lease on this process.
        let new: IncidentRecord?
        /// Emergencies that have given way to it, and the open one when it was told of the press.
        let changed: [UUID]
        /// Emergencies by hand of this day, this one included.
        let countOfDay: Int
    }

    /// What a press adds: the new record, from the one whose place it takes, or to one that is open.
    struct Press: Sendable {
        let make: @Sendable (_ time: Timestamp, _ now: Timestamp, _ supersedes: UUID?) throws -> IncidentRecord
        let update: @Sendable (_ time: Timestamp, _ now: Timestamp, inout IncidentDetails) -> Void
        /// When the button was pressed, by the database's clock: what that takes late is no later, and a false alarm that was told since
        /// ends it.
        let time: @Sendable (_ now: Timestamp) -> Timestamp
        /// False once it was told without the database.
        let isWanted: @Sendable () -> Bool

        /// Tells an open emergency of the press, which others may know by this id; whether there was anything to tell. `nil` when it
        /// gives way: whoever is well and presses later calls for something else.
        func tell(
            _ open: inout IncidentRecord, as id: UUID, hooks: [String], _ times: HandOverTimes, at now: Timestamp
        ) -> Bool? {
            guard open.details != nil,
                !open.incident.givesWay(isSameEpisode: false, hooks: hooks, times: times, at: open.clock.age)
            else { return nil }
            guard !open.incident.isPressed(justBefore: open.clock.age) else { return false }
            let time = time(now)
            open.press(as: id, at: open.clock.age + (time - now)) { update(time, now, &$0) }
            return true
        }
    }

    /// Opens the emergency, or tells the one that is open of it: which is then the same emergency, as long as it does not give way
    /// (`Incident.givesWay`).
    func call(_ id: UUID, of account: UUID, hooks: [String], _ press: Press) async throws -> ManualOpening {
        while true {
            // What was opened at the same moment is there when it is asked for again.
            if let opening = try await callOnce(id, of: account, hooks: hooks, press) { return opening }
        }
    }

    /// `nil` when another emergency was opened meanwhile.
    private func callOnce(
        _ id: UUID, of account: UUID, hooks: [String], _ press: Press
    ) async throws -> ManualOpening? {
        try await database.transaction { transaction in
            let condition: SQL =
                "i.account = \(account) and not i.is_exercise and (i.state <> 'closed' or i.id = \(id))"
            let results = try await transaction.runBatch(
                [
                    "select from enrolment where account = \(account) for no key update",
                    "select clock_timestamp()",
                    Self.select(condition, locked: true),
                    "select incident from journal_entry where id = \(id)",
                    """
                    select count(*) from incident where account = \(account) and not is_exercise
                      and opened_at > clock_timestamp() - interval '1 day'
                    """,
                ], deadline: nil)
            guard let now = try results[1].decodeOne(as: Timestamp.self) else { throw PostgresError.usage("no time") }
            let count = try results[4].decodeOne(as: Int.self) ?? 0
            let found = try decode(results[2])
            let known = Set(found.records.map(\.id)).union(found.unreadable.map(\.id))
            guard press.isWanted() else { throw PostgresError.cancelled }
            if known.contains(id) { return ManualOpening(id: id, new: nil, changed: [], countOfDay: count) }
            // Sent again: it was told to that one, which may have ended since.
            if let told = try results[3].decodeOne(as: UUID.self) {
                return ManualOpening(id: told, new: nil, changed: [], countOfDay: count)
            }
            var statements: [SQL] = []
            var supersedes: UUID?
            if let unreadable = found.unreadable.first {
                statements += try close(unreadable: unreadable.id, for: id, at: now)
                supersedes = unreadable.id
            } else if var open = found.records.first {
                if let same = press.tell(&open, as: id, hooks: hooks, times, at: now) {
                    for statement in try save(open) { try transaction.beforeCommit(statement) }
                    return ManualOpening(id: open.id, new: nil, changed: same ? [open.id] : [], countOfDay: count)
                }
                open.apply(.superseded(by: id, isTold: open.details != nil))
                statements += try save(open)
                supersedes = open.id
            }
            if !statements.isEmpty { try await transaction.batch(statements) }
            let record = try press.make(press.time(now), now, supersedes)
            guard try await transaction.execute(open(record)) > 0 else { return nil }
            transaction.afterCommit { changed.raise() }
            return ManualOpening(
                id: id, new: record, changed: [supersedes].compactMap(\.self), countOfDay: count + 1)
        }
    }
}

extension IncidentRecord {
    /// Tells an open emergency that the button was pressed. What services are not told with it is not noted as if they had been: they
    /// hear of it with the next sample. `age`: when it was, unless now.
    mutating func press(as id: UUID, at age: IncidentAge? = nil, _ update: (inout IncidentDetails) -> Void) {
        let age = age ?? clock.age
        let isNews = incident.isPressNews(at: max(age, incident.changedAt))
        change { $0.press(isNews: isNews, update) }
        apply(.calledByHand, as: id, at: age)
    }
}

extension IncidentDetails {
    mutating func press(isNews: Bool, _ update: (inout IncidentDetails) -> Void) {
        let told = self
        update(&self)
        if !isNews { (fixes, vitals) = (told.fixes, told.vitals) }
    }
}
