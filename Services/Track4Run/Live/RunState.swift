import Contracts
import Domain
import Glibc
import Primitives

/// Everybody who takes part in a run, and how far they are. Pure: what comes in are samples, what goes out are
/// placings and markers.
struct RunState: Sendable {
    /// Who has checked in.
    struct Runner: Sendable, Hashable {
        let account: UUID
        let bib: Int
        let name: String
        /// The runner shares heart rate, and the organiser is a company (RUN-01).
        let showsHeartRate: Bool
        /// The runner has left the run under way (RUN-07), and is shown in the ranking only.
        var leftAt: Timestamp?
    }

    /// What samples have changed.
    struct Change: Sendable, Equatable {
        var isMoved = false
        /// Fixes have come that belong between others: the runner's fixes have to be gone through in order.
        var isOutOfOrder = false
    }

    private struct Entry {
        var runner: Runner
        var progress: RunnerProgress
    }

    let course: Course
    let start: Timestamp
    let end: Timestamp
    let rules: RunnerRules
    private var entries: [UUID: Entry] = [:]

    init(course: Course, start: Timestamp, end: Timestamp, rules: RunnerRules = RunnerRules()) {
        self.course = course
        self.start = start
        self.end = end
        self.rules = rules
    }

    var runners: [Runner] { entries.values.map(\.runner) }
    var isEmpty: Bool { entries.isEmpty }
    /// When the last runner has finished or left; `nil` while somebody has not.
    var allFinishedAt: Timestamp? {
        guard !entries.isEmpty else { return nil }
        var last = start
        for entry in entries.values {
            guard let end = entry.progress.finishedAt ?? entry.runner.leftAt else { return nil }
            last = max(last, end)
        }
        return last
    }

    func progress(of account: UUID) -> RunnerProgress? { entries[account]?.progress }
    func contains(_ account: UUID) -> Bool { entries[account] != nil }

    /// Takes somebody in, or anew with other particulars. A stored progress counts unless a newer one is known. Heart rates
    /// that nobody is to see are not kept (RUN-01, NFR-06).
    mutating func add(_ runner: Runner, progress: RunnerProgress? = nil) {
        let known = entries[runner.account]?.progress
        let fresh = progress ?? known ?? RunnerProgress(start: start)
        var newest = known.map { $0.isNewer(than: fresh) ? $0 : fresh } ?? fresh
        if !runner.showsHeartRate { newest.forgetHeartRate() }
        entries[runner.account] = Entry(runner: runner, progress: newest)
    }

    /// An empty trace of somebody who takes part.
    func trace(of account: UUID) -> RunnerTrace? {
        entries[account].map { RunnerTrace(of: $0.runner, from: start, to: end) }
    }

    /// The progress that is known elsewhere.
    mutating func replace(_ account: UUID, _ progress: RunnerProgress) { entries[account]?.progress = progress }

    /// Somebody leaves the run under way: what was measured until then counts. The bib, if there is somebody.
    mutating func leave(_ account: UUID, at time: Timestamp) -> Int? {
        entries[account]?.runner.leftAt = time
        return entries[account]?.runner.bib
    }

    /// Leaves somebody out: nothing of that runner is known any more. The bib, if there was somebody.
    @discardableResult
    mutating func remove(_ account: UUID) -> Int? { entries.removeValue(forKey: account)?.runner.bib }

    /// What a runner's device has sent. Only what was measured between start and end (or when the runner left) counts, and
    /// heart rates only where they are shown.
    mutating func apply(_ samples: Ingestion.LiveSamples) -> Change {
        guard var entry = entries[samples.accountID] else { return Change() }
        let before = entry.progress
        var trace = RunnerTrace(of: entry.runner, from: start, to: end)
        trace.add(samples)
        var change = Change()
        change.isOutOfOrder = trace.apply(to: &entry.progress, on: course, rules: rules)
        guard entry.progress != before else { return change }
        change.isMoved = true
        entries[samples.accountID] = entry
        return change
    }

    // MARK: What spectators see

    /// The lines of the ranking of `order`, which begins with the first. With `isFinal`, who has not finished has no
    /// place.
    func placings(order: some Sequence<UUID>, isFinal: Bool = false) -> [Placing] {
        order.enumerated().map { index, account in placing(of: account, index, isFinal) }
    }

    /// Who has finished by gun time, then who runs by distance and by when it was reached, then the others, then who has
    /// left; equals by bib.
    func order() -> [UUID] {
        entries.values.map { Standing($0.runner, $0.progress) }.sorted().map(\.account)
    }

    private func placing(of account: UUID, _ index: Int, _ isFinal: Bool) -> Placing {
        // The account comes from the entries.
        guard let entry = entries[account] else { preconditionFailure("an order with somebody unknown") }
        let progress = entry.progress
        let state = Self.state(progress, isFinal || entry.runner.leftAt != nil)
        let hasPlace = state == .finished || state == .running
        let time = progress.hasStarted ? Self.seconds(progress.distanceAt - start) : nil
        let netTime = progress.startedAt.map { Self.seconds(progress.distanceAt - $0) }
        let pace = netTime.flatMap { progress.distance >= 100 ? $0 / progress.distance * 1000 : nil }
        return Placing(
            place: hasPlace ? index + 1 : nil, bib: entry.runner.bib, name: entry.runner.name,
            distance: Self.rounded(progress.distance, 1), time: time, netTime: netTime, state: state,
            finishedAt: progress.finishedAt, pace: pace.map { Self.rounded($0, 1) },
            heartRate: entry.runner.showsHeartRate ? progress.heartRate.mean.map { Self.rounded($0, 1) } : nil,
            splits: progress.passages.map { Self.seconds($0.time - start) })
    }

    private static func state(_ progress: RunnerProgress, _ isFinal: Bool) -> Placing.State {
        if progress.hasFinished { return .finished }
        if progress.hasStarted { return isFinal ? .didNotFinish : .running }
        return isFinal ? .didNotStart : .notStarted
    }

    /// The markers of `accounts` (`nil`: of everybody) that can be shown.
    func markers(of accounts: Set<UUID>? = nil, order: [UUID], at now: Timestamp) -> [Marker] {
        order.enumerated().compactMap { index, account in
            guard accounts?.contains(account) ?? true, let entry = entries[account] else { return nil }
            return marker(entry, place: index + 1, at: now)
        }
    }

    private func marker(_ entry: Entry, place: Int, at now: Timestamp) -> Marker? {
        guard let position = entry.progress.place, entry.runner.leftAt == nil else { return nil }
        let progress = entry.progress
        let heartRate = progress.heartRate.current(at: now, age: rules.lostAfter)
        return Marker(
            bib: entry.runner.bib, place: progress.hasStarted ? place : nil,
            longitude: Self.rounded(position.longitude, 5), latitude: Self.rounded(position.latitude, 5),
            time: position.time, distance: Self.rounded(progress.distance, 1),
            pace: progress.pace.map { Self.rounded($0, 0) },
            heartRate: entry.runner.showsHeartRate ? heartRate : nil,
            isSignalLost: progress.isSignalLost(at: now, rules: rules), state: Self.state(progress, false))
    }

    /// Who has not been heard for too long.
    func lost(at now: Timestamp) -> Set<UUID> {
        guard now > start else { return [] }
        return Set(
            entries.values.filter { $0.runner.leftAt == nil && $0.progress.isSignalLost(at: now, rules: rules) }
                .map(\.runner.account))
    }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 }

    private static func rounded(_ value: Double, _ decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (value * scale).rounded() / scale
    }
}
