import Feed
import Postgres
import Primitives
import Reactor
import Synchronization

/// The people whose samples this process follows, in memory: their monitors, as far as samples were read, and what is needed
/// to judge another one and to tell an ambulance service while the database is away. Bounded; who finds no room is judged in the
/// database.
///
/// Enrolments and identities are sealed as in the database. Monitors are not: the keys that would open them are in the same memory.
final class Roster: Sendable {
    /// All that is kept, in bytes: two million people.
    static let bytesMaxDefault = 2 << 30

    /// What an enrolment has, sealed with the person's key.
    struct Enrolled: Sendable, Equatable {
        var version: Int64
        var rules: String
        var details: [UInt8]
        /// Who it is; `nil` when accounts has not told yet.
        var identity: [UInt8]?
        /// The own limits; `nil` for those of the rule set.
        var thresholds: [UInt8]?
    }

    struct Entry: Sendable {
        var enrolled: Enrolled
        /// The monitor as it is in memory, in its compact form.
        var monitor: [UInt8]
        /// Of the stored monitor that it came from.
        var revision: Int64
        var runs: [ClosedRange<Timestamp>] = []
        /// The open incident, if any.
        var incident: IncidentRecord?
    }

    struct State {
        var people: [UUID: RosterPerson] = [:]
        var bytes = 0
        /// People whose monitors have changed since they were last taken to be saved, and such as have been saved since.
        var unsaved: [UUID] = []
        /// Of each shard of ingestion the parts whose people this process follows.
        var parts: [Int: FeedParts] = [:]
        var refused = 0
    }

    private let bytesMax: Int
    /// Raised when this process has begun to follow other parts.
    let newParts = EventCounter()
    let state = Mutex(State())

    init(bytesMax: Int = Roster.bytesMaxDefault) {
        self.bytesMax = bytesMax
    }

    subscript(account: UUID) -> Entry? { state.withLock { $0.people[account]?.entry } }

    var count: Int { state.withLock { $0.people.count } }
    var bytes: Int { state.withLock { $0.bytes } }
    var accounts: [UUID] { state.withLock { Array($0.people.keys) } }
    /// People who found no room.
    var refused: Int { state.withLock { $0.refused } }

    /// Call when it is committed, with the `changes` that the person's monitor in memory had when it was taken into it: what has
    /// changed since stays, and is found to be of another revision.
    func remember(_ account: UUID, _ entry: Entry, from changes: UInt32?) {
        state.withLock { state in
            guard state.people[account]?.changes == changes else { return }
            // Of somebody whom another replica follows it would be out of date in a moment.
            guard state.parts.isEmpty || state.follows(account) else { return Self.remove(account, &state) }
            let person = RosterPerson(entry, changes: changes ?? 0)
            person.isListed = state.people[account]?.isListed ?? false
            store(account, person, &state)
        }
    }

    /// Remembers what was read of somebody. A monitor that has come further in memory stays.
    func load(_ account: UUID, _ entry: Entry) {
        state.withLock { state in
            let person = RosterPerson(entry, changes: 0)
            if let known = state.people[account] {
                guard entry.enrolled.version >= known.version else { return }
                person.changes = known.changes
                person.incident = known.incident
                // One that was read before another was committed is older.
                if known.revision >= entry.revision || known.isUnsaved { person.takeMonitor(from: known) }
            }
            store(account, person, &state)
        }
    }

    private func store(_ account: UUID, _ person: RosterPerson, _ state: inout State) {
        let before = state.people[account]?.bytes ?? 0
        guard state.bytes - before + person.bytes <= bytesMax else {
            // What is known of before is not what is committed.
            Self.remove(account, &state)
            return state.refused += 1
        }
        state.bytes += person.bytes - before
        state.people[account] = person
    }

    func forget(_ account: UUID) {
        state.withLock { Self.remove(account, &$0) }
    }

    private static func remove(_ account: UUID, _ state: inout State) {
        if let person = state.people.removeValue(forKey: account) { state.bytes -= person.bytes }
    }

    /// What a person is judged by has changed: it is read anew before the next sample.
    func expire(_ account: UUID) {
        state.withLock { state in
            state.people[account]?.isExpired = true
            state.people[account]?.changes &+= 1
        }
    }

    /// The same of everybody.
    func expireAll() {
        state.withLock { state in
            for person in state.people.values {
                person.isExpired = true
                person.changes &+= 1
            }
        }
    }

    /// Those of them who are to be read: followed, and not known as they are.
    func missing(_ versions: [UUID: Int64]) -> [UUID] {
        state.withLock { state in
            versions.filter { account, version in
                state.follows(account) && state.people[account]?.version != version
            }.map(\.key)
        }
    }

    /// This process follows these parts of a shard from now on. Of people in parts that are new to it, another process has
    /// committed more than is known here; of those in parts that it has given up, another one will. Neither is saved from here.
    func follow(_ parts: FeedParts, ofShard shard: Int) {
        state.withLock { state in
            let before = state.parts[shard] ?? FeedParts(count: parts.count, numbers: [])
            state.parts[shard] = parts
            if before != parts, !parts.numbers.isEmpty { newParts.raise() }
            guard before != parts, !state.people.isEmpty else { return }
            let isSameDivision = before.count == parts.count
            let new = FeedParts(
                count: parts.count,
                numbers: isSameDivision ? parts.numbers.filter { !before.numbers.contains($0) } : parts.numbers)
            for (account, person) in state.people where state.isOther(account, new: new, before: before) {
                // What is kept of another shard's people, whom this process goes on following, is saved by that one.
                if person.isUnsaved, state.parts.contains(where: { $0.key != shard && $0.value.contains(account) }) {
                    continue
                }
                Self.remove(account, &state)
            }
        }
    }
}

extension Roster.State {
    func follows(_ account: UUID) -> Bool { parts.values.contains { $0.contains(account) } }

    /// Somebody whom this process has begun to follow, or follows no longer.
    fileprivate func isOther(_ account: UUID, new: FeedParts, before: FeedParts) -> Bool {
        !new.numbers.isEmpty && new.contains(account)
            || !before.numbers.isEmpty && before.contains(account) && !follows(account)
    }
}
