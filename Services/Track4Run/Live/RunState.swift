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
    }

    private struct Entry {
        var runner: Runner
        var progress: RunnerProgress
    }

    /// Of a sample when it was sent.
    private static let ageMax = Duration.seconds(400 * 86_400)

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
    var haveAllFinished: Bool { !entries.isEmpty && entries.values.allSatisfy(\.progress.hasFinished) }

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

    /// The progress that is known elsewhere.
    mutating func replace(_ account: UUID, _ progress: RunnerProgress) { entries[account]?.progress = progress }

    /// Leaves somebody out: nothing of that runner is known any more. The bib, if there was somebody.
    @discardableResult
    mutating func remove(_ account: UUID) -> Int? { entries.removeValue(forKey: account)?.runner.bib }

    /// What a runner's device has sent. Times are corrected by the device's clock at sending, so that clocks need
    /// not agree. Only what was measured between start and end counts, and heart rates only where they are shown. Returns
    /// whether anything has changed.
    mutating func apply(_ samples: Ingestion.LiveSamples) -> Bool {
        guard var entry = entries[samples.accountID] else { return false }
        let before = entry.progress
        for series in samples.series where series.shapeError == nil {
            switch series.type {
            case .position: apply(positions: series, samples, to: &entry.progress)
            case .heartRate where entry.runner.showsHeartRate:
                apply(heartRates: series, samples, to: &entry.progress)
            default: continue
            }
        }
        guard entry.progress != before else { return false }
        entries[samples.accountID] = entry
        return true
    }

    /// When a sample was measured by the clock of the ingestion service; `nil` outside the time of the run. One from the
    /// future of its own device is as new as can be.
    private func time(_ index: Int, of series: SampleSeries, in samples: Ingestion.LiveSamples) -> Timestamp? {
        let time = min(series.time(index), samples.sentAt)
        // Nothing older is of a run; and within this nothing overflows.
        guard time >= samples.sentAt - Self.ageMax else { return nil }
        let corrected = samples.receivedAt - (samples.sentAt - time)
        return corrected > start && corrected <= end ? corrected : nil
    }

    private func apply(
        positions series: SampleSeries, _ samples: Ingestion.LiveSamples, to progress: inout RunnerProgress
    ) {
        guard let latitudes = series.latitudes, let longitudes = series.longitudes else { return }
        for index in Self.inOrder(series) {
            guard let time = time(index, of: series, in: samples),
                let coordinate = Coordinate(latitude: latitudes[index], longitude: longitudes[index])
            else { continue }
            let accuracy = series.accuracies?[index]
            _ = progress.apply(
                PositionFix(time: time, coordinate: coordinate, accuracy: accuracy), on: course, rules: rules)
        }
    }

    private func apply(
        heartRates series: SampleSeries, _ samples: Ingestion.LiveSamples, to progress: inout RunnerProgress
    ) {
        guard let values = series.values else { return }
        for index in Self.inOrder(series) {
            guard let time = time(index, of: series, in: samples),
                progress.finishedAt.map({ time <= $0 }) ?? true
            else { continue }
            progress.apply(heartRate: values[index], at: time)
        }
    }

    /// Samples of a series may be in any order.
    private static func inOrder(_ series: SampleSeries) -> [Int] {
        let isSorted = zip(series.offsets, series.offsets.dropFirst()).allSatisfy { $0 <= $1 }
        return isSorted
            ? Array(series.offsets.indices) : series.offsets.indices.sorted { series.offsets[$0] < series.offsets[$1] }
    }

    // MARK: What spectators see

    /// The lines of the ranking of `order`, which begins with the first. With `isFinal`, who has not finished has no
    /// place.
    func placings(order: some Sequence<UUID>, isFinal: Bool = false) -> [Placing] {
        order.enumerated().map { index, account in placing(of: account, index, isFinal) }
    }

    /// Who has finished by gun time, then who runs by distance and by when it was reached, then the others; equals
    /// by bib.
    func order() -> [UUID] {
        entries.values.sorted(by: Self.isBefore).map(\.runner.account)
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        let (first, second) = (left.progress, right.progress)
        if first.hasFinished || second.hasFinished {
            guard let finish = first.finishedAt else { return false }
            guard let other = second.finishedAt else { return true }
            if finish != other { return finish < other }
        } else if first.hasStarted != second.hasStarted {
            return first.hasStarted
        } else if first.hasStarted {
            if first.distance != second.distance { return first.distance > second.distance }
            if first.distanceAt != second.distanceAt { return first.distanceAt < second.distanceAt }
        }
        return left.runner.bib < right.runner.bib
    }

    private func placing(of account: UUID, _ index: Int, _ isFinal: Bool) -> Placing {
        // The account comes from the entries.
        guard let entry = entries[account] else { preconditionFailure("an order with somebody unknown") }
        let progress = entry.progress
        let state = Self.state(progress, isFinal)
        let hasPlace = state == .finished || state == .running
        let time = progress.hasStarted ? Self.seconds(progress.distanceAt - start) : nil
        let netTime = progress.startedAt.map { Self.seconds(progress.distanceAt - $0) }
        let pace = netTime.flatMap { progress.distance >= 100 ? $0 / progress.distance * 1000 : nil }
        return Placing(
            place: hasPlace ? index + 1 : nil, bib: entry.runner.bib, name: entry.runner.name,
            distance: Self.rounded(progress.distance, 1), time: time, netTime: netTime, state: state,
            finishedAt: progress.finishedAt, pace: pace.map { Self.rounded($0, 1) },
            heartRate: entry.runner.showsHeartRate ? progress.heartRate.mean.map { Self.rounded($0, 1) } : nil,
            splits: progress.passages.map { Self.seconds($0 - start) })
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
        guard let position = entry.progress.place else { return nil }
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
            entries.values.filter { $0.progress.isSignalLost(at: now, rules: rules) }.map(\.runner.account))
    }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 }

    private static func rounded(_ value: Double, _ decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (value * scale).rounded() / scale
    }
}
