import Primitives
import Synchronization

/// What judging in memory needs (`LiveMonitors`).
extension Roster {
    /// A person's monitor in memory, and what it is judged by.
    struct Live: Sendable {
        /// `nil` when the enrolment was not opened yet.
        var wearer: Wearer?
        var monitor: [UInt8]
        var revision: Int64
        var changes: UInt32
        var isUnsaved: Bool
        var hasIncident: Bool

        fileprivate init(_ person: RosterPerson, _ account: UUID) {
            wearer = person.wearer(account)
            (monitor, revision, changes) = (person.monitor, person.revision, person.changes)
            (isUnsaved, hasIncident) = (person.isUnsaved, person.incident != nil)
        }
    }

    func live(_ account: UUID) -> Live? { state.withLock { $0.people[account].map { Live($0, account) } } }

    /// Those of whom nothing is known, or of whom something is to be read anew.
    func unknown(_ accounts: Set<UUID>) -> [UUID] {
        state.withLock { state in accounts.filter { state.people[$0]?.isExpired ?? true } }
    }

    func note(_ wearer: Wearer) {
        state.withLock { state in
            guard let person = state.people[wearer.account] else { return }
            let before = person.bytes
            person.note(wearer)
            state.bytes += person.bytes - before
        }
    }

    /// Keeps what was judged on top of the monitor with those `changes`; false when that has changed meanwhile.
    func keep(_ account: UUID, _ monitor: [UInt8], from changes: UInt32) -> Bool {
        state.withLock { state in
            guard let person = state.people[account], person.changes == changes else { return false }
            let before = person.bytes
            person.keep(monitor)
            state.bytes += person.bytes - before
            state.list(account, person)
            return true
        }
    }

    // MARK: Saving

    /// A monitor that is to be saved.
    struct Unsaved: Sendable {
        let account: UUID
        let monitor: [UInt8]
        let revision: Int64
        let changes: UInt32
    }

    var unsavedCount: Int { state.withLock { $0.unsaved.count } }

    /// Takes those that are not saved, in the order of their ids: `return(unsaved:)` gives back whom it did not come to.
    func takeUnsaved() -> [UUID] {
        var taken = state.withLock { state in
            defer { state.unsaved = [] }
            return state.unsaved
        }
        taken.sort()
        return taken
    }

    func `return`(unsaved accounts: some Sequence<UUID>) {
        state.withLock { state in
            for account in accounts {
                guard let person = state.people[account], person.isUnsaved else { continue }
                // Whom it did not come to is still marked, and is not among them.
                person.isListed = false
                state.list(account, person)
            }
        }
    }

    /// As they are now; from here on they are listed again when they change.
    func unsaved(_ accounts: some Sequence<UUID>) -> [Unsaved] {
        state.withLock { state in
            var unsaved: [Unsaved] = []
            for account in accounts {
                guard let person = state.people[account] else { continue }
                person.isListed = false
                guard person.isUnsaved else { continue }
                unsaved.append(
                    Unsaved(
                        account: account, monitor: person.monitor, revision: person.revision, changes: person.changes))
            }
            return unsaved
        }
    }

    /// Those of them that are in memory as they were when they could not be saved: another process has written them meanwhile. What
    /// this one has written goes on from what was to be saved.
    func overtaken(_ people: [Unsaved]) -> Set<UUID> {
        state.withLock { state in
            Set(people.filter { state.people[$0.account]?.revision == $0.revision }.map(\.account))
        }
    }

    /// These are stored now, each as the next revision.
    func saved(_ people: some Sequence<Unsaved>) {
        state.withLock { state in
            for known in people where state.people[known.account]?.revision == known.revision {
                state.people[known.account]?.saved(at: known.changes)
            }
        }
    }
}

extension Roster.State {
    fileprivate mutating func list(_ account: UUID, _ person: RosterPerson) {
        guard !person.isListed else { return }
        person.isListed = true
        unsaved.append(account)
    }
}
