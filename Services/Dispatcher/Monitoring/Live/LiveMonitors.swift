import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Synchronization

/// Judges samples of the live feed in memory. What changes nothing but the monitor, nearly all of it, is kept and saved later
/// (`save`); what does more is judged again on top of the locked row, in a transaction (`WatchedPeople.observe`), at once. `README.md`
/// has the states, and the attacks.
final class LiveMonitors: Sendable {
    /// How often this process looks who has an emergency and of whom something has changed, which others may have done.
    static let lookInterval = Duration.seconds(1)
    /// A database's clock that moved by more was set.
    private static let clockStepMin = Duration.seconds(5)
    /// Monitors that are saved with one statement: a few ms, in which their rows are locked.
    static let savedMax = 500

    private struct Known: Sendable {
        var lookDue = Deadline.now()
        /// The last look that has succeeded, and the database's time then.
        var lookedAt = Deadline.now()
        var time: Timestamp?
        /// Of `IncidentStore.changed`.
        var seen: UInt64?
        /// People with an open emergency, whoever opened it.
        var open: Set<UUID> = []
    }

    let people: WatchedPeople
    private let keeper: any MonitorKeeper
    private let known = Mutex(Known())
    private let turn = Turn()
    private let judged: Counter
    private let loud: Counter
    private let saved: Counter

    private var roster: Roster { people.standby.roster }

    /// `keeper` is another one than PostgreSQL in a simulation.
    init(people: WatchedPeople, keeper: (any MonitorKeeper)? = nil, metrics: Metrics) {
        self.people = people
        self.keeper = keeper ?? StoredMonitors(people: people)
        judged = metrics.counter(
            "trackme_judged_samples_total", "Vital signs that were judged in memory and changed nothing but a monitor.")
        loud = metrics.counter(
            "trackme_judged_uploads_stored_total",
            "Uploads that were judged in a transaction, since more follows from them.")
        saved = metrics.counter(
            "trackme_saved_monitors_total", "Monitors that were saved after they were judged in memory.")
        metrics.gauge("trackme_unsaved_monitors", "Monitors that have changed in memory since they were saved.") {
            [roster = people.standby.roster] in Double(roster.unsavedCount)
        }
    }

    // MARK: Judging

    /// Judges uploads; returns those that are to be judged in a transaction, in their order: all of their people in this batch.
    func judge(_ uploads: [WatchedPeople.Upload]) async throws -> [WatchedPeople.Upload] {
        let open = await look()
        let accounts = Set(uploads.map(\.samples.accountID))
        let unknown = roster.unknown(accounts)
        let watched = unknown.isEmpty ? [] : try await keeper.load(unknown.sorted())
        let unwatched = Set(unknown).subtracting(watched)
        let held = await people.keys.keysAtHand(of: accounts)
        let now = people.standby.clock.now()
        var loudPeople: Set<UUID> = []
        var samples = 0
        for (account, own) in Dictionary(grouping: uploads, by: \.samples.accountID) where !unwatched.contains(account)
        {
            guard !open.contains(account), let key = try? held[account]?.get(),
                let count = judge(own, of: account, key, at: now)
            else {
                loudPeople.insert(account)
                continue
            }
            samples += count
        }
        judged.increment(by: samples)
        let rest = loudPeople.isEmpty ? [] : uploads.filter { loudPeople.contains($0.samples.accountID) }
        loud.increment(by: rest.count)
        return rest
    }

    /// The number of samples, all of which say nothing that has to be told or stored; `nil` otherwise, and nothing is kept.
    private func judge(
        _ uploads: [WatchedPeople.Upload], of account: UUID, _ key: SubjectKey, at now: Timestamp
    ) -> Int? {
        guard let live = roster.live(account), !live.hasIncident, let wearer = wearer(live, account, key),
            var monitor = try? Monitor(packed: live.monitor), monitor.isCalm
        else { return nil }
        let phase = monitor.phase
        var samples = 0
        for upload in uploads {
            guard let seen = Observation(upload.samples, now: now, heldFor: upload.age) else {
                people.log.error(
                    "an upload with impossible times was left out", ["account": .string(account.description)])
                continue
            }
            samples += seen.vitals.count
            let actions = monitor.observe(seen, of: wearer)
            guard actions.isEmpty, monitor.phase == phase, monitor.isCalm else { return nil }
        }
        return roster.keep(account, monitor.packed, from: live.changes) ? samples : nil
    }

    private func wearer(_ live: Roster.Live, _ account: UUID, _ key: SubjectKey) -> Wearer? {
        if let known = live.wearer { return known }
        guard let entry = roster[account],
            let (wearer, _) = try? people.wearer(account, entry.enrolled, runs: entry.runs, key: key)
        else { return nil }
        roster.note(wearer)
        return wearer
    }

    /// Finds out what others have done, once a second; returns who has an open emergency. Without the database it stays as it was.
    private func look() async -> Set<UUID> {
        let changes = people.incidents.changed.value
        let isDue = known.withLock { known in
            guard known.lookDue.hasPassed || known.seen != changes else { return false }
            (known.lookDue, known.seen) = (.after(Self.lookInterval), changes)
            return true
        }
        guard isDue else { return known.withLock { $0.open } }
        do {
            let begun = Deadline.now()
            let (last, time) = known.withLock { ($0.lookedAt, $0.time) }
            let elapsed = begun.since(last)
            let news = try await keeper.news(since: elapsed)
            people.standby.clock.learn(news.time)
            // By a clock that was set, or of so long ago, what has changed cannot be told.
            let isSet = time.map { abs((news.time - ($0 + elapsed)).microseconds) > Self.clockStepMin.microseconds }
            if isSet == true || elapsed > WatchChange.keptMin {
                roster.expireAll()
            } else {
                for account in news.changed { roster.expire(account) }
            }
            known.withLock { ($0.open, $0.lookedAt, $0.time) = (news.open, begun, news.time) }
        } catch {
            people.log.warning("who has an open emergency is not known anew", ["error": Log.text(of: error)])
        }
        return known.withLock { $0.open }
    }

    // MARK: Saving

    /// Writes the monitors that have changed in memory before this was called. What another process has written meanwhile stays: then
    /// the person's samples are read again from ingestion's storage (`GapReader`).
    func save() async throws {
        try await turn.take()
        defer { turn.end() }
        var rest = roster.takeUnsaved()[...]
        do {
            while !rest.isEmpty {
                try Task.checkCancellation()
                try await save(rest.prefix(Self.savedMax))
                rest = rest.dropFirst(Self.savedMax)
            }
        } catch {
            roster.return(unsaved: rest)
            throw error
        }
    }

    private func save(_ accounts: ArraySlice<UUID>) async throws {
        let unsaved = roster.unsaved(accounts)
        guard !unsaved.isEmpty else { return }
        let written = try await keeper.save(unsaved)
        roster.saved(unsaved.filter { written.contains($0.account) })
        saved.increment(by: written.count)
        let rest = unsaved.filter { !written.contains($0.account) }
        let overtaken = roster.overtaken(rest)
        guard !overtaken.isEmpty else { return }
        try await keeper.openGaps(of: overtaken)
        // Meanwhile this process may have written some of them.
        let forgotten = roster.overtaken(rest)
        for account in forgotten { roster.forget(account) }
        // Not only with their next samples: without the database they are judged by what is in memory.
        _ = try await keeper.load(forgotten.sorted())
    }
}

extension Monitor {
    /// Nothing of it may be judged in memory alone for longer than a moment: a critical state that goes on, or that waits.
    fileprivate var isCalm: Bool { judgeBy == nil && (phase == .normal || phase == .blind) }
}

/// One after the other.
private final class Turn: Sendable {
    private let isTaken = Mutex(false)
    private let ended = EventCounter()

    func take() async throws {
        while true {
            try Task.checkCancellation()
            let seen = ended.value
            let isMine = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            if isMine { return }
            _ = await ended.wait(after: seen)
        }
    }

    func end() {
        isTaken.withLock { $0 = false }
        ended.raise()
    }
}
