import Contracts
import Domain
import Glibc
import Primitives

/// The runners of a run and their progress. Without I/O: samples in, placings and markers out.
struct RunState: Sendable {
    /// A runner who has checked in.
    struct Runner: Sendable, Hashable {
        let account: UUID
        let bib: Int
        let name: String
        /// The runner shares heart rate, and the organiser is a company (RUN-01).
        let showsHeartRate: Bool
        /// The runner has left the run under way (RUN-07), and is shown in the ranking only.
        var leftAt: Timestamp?
    }

    /// The changes that samples made.
    struct Change: Sendable, Equatable {
        var isMoved = false
        /// Fixes have come that belong between earlier ones: all fixes of the runner have to be applied again in order.
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
    /// When the last runner has finished or left; `nil` while a runner is under way.
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

    /// Adds a runner, or updates the particulars. A stored progress counts unless a newer one is known. Heart rates
    /// that nobody may see are not kept (RUN-01, NFR-06).
    mutating func add(_ runner: Runner, progress: RunnerProgress? = nil) {
        let known = entries[runner.account]?.progress
        let fresh = progress ?? known ?? RunnerProgress(start: start)
        var newest = known.map { $0.isNewer(than: fresh) ? $0 : fresh } ?? fresh
        if !runner.showsHeartRate { newest.forgetHeartRate() }
        entries[runner.account] = Entry(runner: runner, progress: newest)
    }

    /// An empty trace for a runner.
    func trace(of account: UUID) -> RunnerTrace? {
        entries[account].map { RunnerTrace(of: $0.runner, from: start, to: end) }
    }

    /// Replaces a runner's progress.
    mutating func replace(_ account: UUID, _ progress: RunnerProgress) { entries[account]?.progress = progress }

    /// A runner leaves the run under way: what was measured until then counts. Returns the bib, if there is such a
    /// runner.
    mutating func leave(_ account: UUID, at time: Timestamp) -> Int? {
        entries[account]?.runner.leftAt = time
        return entries[account]?.runner.bib
    }

    /// Removes a runner and the progress. Returns the bib, if there was such a runner.
    @discardableResult
    mutating func remove(_ account: UUID) -> Int? { entries.removeValue(forKey: account)?.runner.bib }

    /// Applies what a runner's device has sent. Only what was measured between start and end (or when the runner left)
    /// counts, and heart rates only where they are shown.
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

    /// The lines of the ranking in `order`, which begins with the first. With `isFinal` a runner who has not finished
    /// has no place.
    func placings(order: some Sequence<UUID>, isFinal: Bool = false) -> [Placing] {
        order.enumerated().map { index, account in placing(of: account, index, isFinal) }
    }

    /// Finishers by gun time, then runners by distance and the time when it was reached, then the others, then those
    /// who have left; equals by bib.
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

    /// The markers of `accounts` (`nil`: of all runners) that can be shown.
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
        // Fixes may still come from beside the course: the place that is shown is as old all the same.
        let isOld = !progress.hasFinished && now - position.time > rules.lostAfter
        return Marker(
            bib: entry.runner.bib, place: progress.hasStarted ? place : nil,
            longitude: Self.rounded(position.longitude, 5), latitude: Self.rounded(position.latitude, 5),
            time: position.time, distance: Self.rounded(progress.distance, 1),
            pace: progress.pace.map { Self.rounded($0, 0) },
            heartRate: entry.runner.showsHeartRate ? heartRate : nil,
            isSignalLost: isOld || progress.isSignalLost(at: now, rules: rules), state: Self.state(progress, false))
    }

    /// Runners without a fix for too long.
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
