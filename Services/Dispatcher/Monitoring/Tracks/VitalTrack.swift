import Primitives

/// The recent samples of one source and parameter, and the runs of critical ones among them (SOS-04). Samples may come in
/// any order and more than once; what is found depends on which there are, not on how they came. Small: there is one for each
/// sensor of everybody who is watched.
struct VitalTrack: Sendable, Equatable {
    /// What a value means.
    enum Level: UInt8, Sendable, Comparable {
        /// Normal, and not close to a limit.
        case clear
        /// Normal, and so close to a limit that it does not end a critical state that has lasted.
        case near
        case critical
        /// Critical, and much worse than the limit.
        case severe

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One sample in eight bytes: its time in microseconds, then marks, then its level.
    struct Entry: Sendable, Equatable {
        let packed: Int64

        init(
            time: Timestamp, level: Level, isHigh: Bool = false, isDoubtful: Bool = false, isAfterLoss: Bool = false
        ) {
            let marks: Int64 = (isAfterLoss ? 16 : 0) | (isHigh ? 8 : 0) | (isDoubtful ? 4 : 0)
            packed = time.microseconds << 5 | marks | Int64(level.rawValue)
        }

        init(packed: Int64) { self.packed = packed }

        var time: Timestamp { Timestamp(microseconds: packed >> 5) }
        var level: Level { Level(rawValue: UInt8(packed & 3)) ?? .clear }
        /// Beyond the upper limit.
        var isHigh: Bool { packed & 8 != 0 }
        var isDoubtful: Bool { packed & 4 != 0 }
        /// The sensor had lost contact before it: no run goes on to it from before.
        var isAfterLoss: Bool { packed & 16 != 0 }
        var isCritical: Bool { level == .critical || level == .severe }
    }

    /// Samples of one kind that are closer than this count as one.
    static let spacingMin = Duration.milliseconds(50)
    /// Kept: the last `keptMin`, and more as long as they are within `keptTime`, up to `keptMax`.
    static let keptMin = 16
    static let keptMax = 128
    static let keptTime = Duration.seconds(5)
    /// A critical state that begins within so long of one that was raised, without a recovery or a silence between them, is the
    /// same one.
    static let holdMax = Duration.seconds(1800)
    /// Without any sample for so long the next critical state is another one.
    static let silenceMin = Duration.seconds(30)

    let pace: Pace
    /// In the order of their times.
    private(set) var entries: [Entry] = []
    /// The run that goes on from what was forgotten into what is kept.
    private(set) var head: Run?
    /// A run that begins up to here has led to an incident already.
    private(set) var raisedThrough: Timestamp?
    /// What was raised was severe.
    private(set) var hasRaisedSevere = false
    /// When the state that was raised was over.
    private(set) var recoveredAt: Timestamp?
    /// How far what came after it has been looked at.
    private(set) var followedThrough: Timestamp?
    /// A run that begins up to here was too old to dispatch, and was told to others.
    private(set) var reportedThrough: Timestamp?
    /// Readings without contact since the last valid one: first, last, how many.
    private(set) var lost: Run?
    /// The value that the sensor gives without any change.
    var steady: SteadyValue?
    var contact = ContactQuality()

    init(pace: Pace = .continuous) { self.pace = pace }

    // MARK: Samples

    /// Adds a valid sample. `trim` when all of an upload have been added and judged.
    mutating func add(_ given: Entry) {
        if let lost, given.time >= lost.first { self.lost = nil }
        let entry = Entry(
            time: given.time, level: given.level, isHigh: given.isHigh,
            isDoubtful: given.isDoubtful, isAfterLoss: contact.isInterrupted)
        // It is counted already.
        if let head, entry.time <= head.seen { return }
        let index = entries.lastIndex { $0.time <= entry.time }.map { $0 + 1 } ?? 0
        let neighbours = entries[max(0, index - 4)..<min(entries.count, index + 4)]
        let isRepeat = neighbours.contains { other in
            let distance = other.time < entry.time ? entry.time - other.time : other.time - entry.time
            return other.level == entry.level && other.isHigh == entry.isHigh && distance < Self.spacingMin
        }
        guard !isRepeat else { return }
        entries.insert(entry, at: index)
        contact.resume()
    }

    /// Adds a reading of a sensor without contact: neither normal nor critical.
    mutating func addLost(at time: Timestamp) {
        if let last = entries.last, time < last.time { return }
        guard var run = lost else {
            lost = Run(time)
            return
        }
        guard time - run.last >= Self.spacingMin else { return }
        if time - run.last > max(gapMax, pace.lostGapMin) {
            run = Run(time)
        } else {
            run.extend(to: time, .threeSeconds)
        }
        lost = run
    }

    /// Forgets what nothing depends on any more.
    mutating func trim() {
        guard let newest = entries.last?.time else { return }
        let kept =
            entries.lastIndex { newest - $0.time > Self.keptTime }.map { entries.count - $0 - 1 } ?? entries.count
        let count = min(Self.keptMax, max(Self.keptMin, kept))
        guard entries.count > count else { return }
        let forgotten = entries.count - count
        head = fold(entries.prefix(forgotten), from: head).open
        entries.removeFirst(forgotten)
    }

    // MARK: Runs

    /// The lower median of what is between the samples.
    var period: Duration? {
        var intervals = zip(entries, entries.dropFirst()).suffix(Self.keptMin - 1).map { $1.time - $0.time }
        guard !intervals.isEmpty else { return nil }
        intervals.sort()
        return intervals[(intervals.count - 1) / 2]
    }

    /// Twice the sampling period, or what the pace says if that is longer.
    var gapMax: Duration {
        let period = period
        return max(pace.lasting(period: period).gapMin, (period ?? .zero) * 2)
    }

    /// All runs, in order.
    var runs: [Run] {
        // Nearly always: whoever is well costs little.
        guard head != nil || entries.contains(where: \.isCritical) else { return [] }
        let (closed, open) = fold(entries[...], from: head)
        guard var last = open else { return closed }
        last.isOpen = true
        return closed + [last]
    }

    /// The runs that end among these samples, and the one that does not, going on from `start`.
    private func fold(_ samples: ArraySlice<Entry>, from start: Run?) -> (closed: [Run], open: Run?) {
        let period = period
        let lasting = pace.lasting(period: period)
        let gapMax = max(lasting.gapMin, (period ?? .zero) * 2)
        var (closed, current): ([Run], Run?) = ([], start)
        for entry in samples {
            let isGoingOn = !entry.isAfterLoss && current.map { entry.time - $0.seen <= gapMax } ?? false
            if entry.isCritical {
                if isGoingOn, current?.isHigh == entry.isHigh {
                    current?.extend(by: entry, lasting)
                } else {
                    if let run = current { closed.append(run) }
                    current = Run(entry)
                }
            } else if entry.level == .near, isGoingOn, current?.confirmed != nil {
                current?.seen = entry.time
            } else {
                if let run = current { closed.append(run) }
                current = nil
            }
        }
        return (closed, current)
    }

    /// Confirmed runs that have not led to an incident. Runs that have stay marked as they grow, and so do those that belong to
    /// the same state; what has become severe since is another run.
    mutating func newRuns() -> [Run] {
        followRecovery()
        var new: [Run] = []
        for run in runs where run.confirmed != nil {
            guard let raised = raisedThrough, goesOn(run.first, since: raised) else {
                new.append(run)
                continue
            }
            if !hasRaisedSevere, let worse = run.worse {
                new.append(worse)
            } else {
                raisedThrough = max(raised, run.last)
            }
        }
        return new
    }

    /// Whether what begins then is the state that was raised.
    private func goesOn(_ first: Timestamp, since raised: Timestamp) -> Bool {
        guard first > raised else { return true }
        if first - raised > Self.holdMax { return false }
        guard let recoveredAt, recoveredAt > raised else { return true }
        return recoveredAt > first
    }

    /// Looks for the end of the state that was raised: clearly normal values for some time, or none at all.
    private mutating func followRecovery() {
        guard let raised = raisedThrough, recoveredAt.map({ $0 <= raised }) ?? true else { return }
        let period = period
        let lasting = pace.lasting(period: period)
        let silence = max(Self.silenceMin, lasting.gapMin, (period ?? .zero) * 2)
        var last = max(raised, followedThrough ?? raised)
        for entry in entries where entry.time > last {
            if entry.time - last > silence {
                // The state that begins now is another one.
                recoveredAt = last + silence
                return
            }
            last = entry.time
        }
        followedThrough = last
        var (since, count): (Timestamp?, Int) = (nil, 0)
        for entry in entries where entry.time > raised {
            guard entry.level == .clear else {
                (since, count) = (nil, 0)
                continue
            }
            let begin = since ?? entry.time
            (since, count) = (begin, count + 1)
            if count >= lasting.recoverySamples, entry.time - begin >= lasting.recoveryMin {
                recoveredAt = entry.time
                return
            }
        }
    }

    /// Marks a run that has led to an incident.
    mutating func markRaised(_ run: Run) {
        let isSameState = raisedThrough.map { goesOn(run.first, since: $0) } ?? false
        hasRaisedSevere = run.worse != nil || isSameState && hasRaisedSevere
        raisedThrough = max(raisedThrough ?? run.last, run.last)
    }

    /// Marks a run that was too old to dispatch; false when it was marked before.
    mutating func markReported(_ run: Run) -> Bool {
        let isNew = reportedThrough.map { run.first > $0 } ?? true
        reportedThrough = max(reportedThrough ?? run.last, run.last)
        return isNew
    }

    /// The run that the last samples belong to; `nil` when the last one was normal.
    var openRun: Run? { runs.last.flatMap { $0.isOpen ? $0 : nil } }

    /// The sensor has had no contact for as long as an emergency needs to be one.
    var hasLostContact: Bool { lost?.confirmed != nil }

    // MARK: Storage

    /// As it was packed (`pack(into:)`).
    init(from unpacker: inout Unpacker) throws(PackingError) {
        guard let pace = Pace(rawValue: try unpacker.byte()) else { throw .value }
        self.init(pace: pace)
        let marks = try unpacker.byte()
        entries = try Self.entries(unit: marks & Mark.milliseconds != 0 ? 1000 : 1, from: &unpacker)
        if marks & Mark.head != 0 { head = try Run(from: &unpacker) }
        if marks & Mark.raised != 0 {
            raisedThrough = try unpacker.optionalTime()
            recoveredAt = try unpacker.optionalTime()
            followedThrough = try unpacker.optionalTime()
            reportedThrough = try unpacker.optionalTime()
        }
        hasRaisedSevere = marks & Mark.hasRaisedSevere != 0
        if marks & Mark.lost != 0 { lost = try Run(from: &unpacker) }
        if marks & Mark.steady != 0 { steady = try SteadyValue(from: &unpacker) }
        if marks & Mark.contact != 0 { contact = try ContactQuality(from: &unpacker) }
    }
}
