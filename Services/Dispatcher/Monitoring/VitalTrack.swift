import Primitives

/// The recent samples of one source and parameter, and the runs of critical ones among them (SOS-04). Samples may come in
/// any order and more than once; what is found depends on which there are, not on how they came.
struct VitalTrack: Sendable, Equatable, Codable {
    struct Entry: Sendable, Equatable {
        let time: Timestamp
        let isCritical: Bool
    }

    /// Critical samples in a row, without a normal one or a gap between them.
    struct Run: Sendable, Equatable, Codable {
        var first: Timestamp
        var last: Timestamp
        var count = 1
        /// When it had lasted long enough; `nil` before.
        var confirmed: Timestamp?
        /// Nothing normal came after it.
        var isOpen = false
    }

    /// An emergency is at least so many samples …
    static let samplesMin = 3
    /// … over at least this time.
    static let durationMin = Duration.seconds(3)
    /// A gap is longer than twice the sampling period and than this.
    static let gapMin = Duration.seconds(2)
    /// Samples of one kind that are closer than this count as one.
    static let spacingMin = Duration.milliseconds(50)
    /// Kept: the last `keptMin`, and more as long as they are within `keptTime`, up to `keptMax`.
    static let keptMin = 16
    static let keptMax = 128
    static let keptTime = Duration.seconds(5)

    /// In the order of their times.
    private(set) var entries: [Entry] = []
    /// A run that begins up to here has led to an incident already.
    private(set) var raisedThrough: Timestamp?
    /// A run that begins up to here was too old to dispatch, and was told to others.
    private(set) var reportedThrough: Timestamp?
    /// Readings without contact since the last valid one: first, last, how many.
    private(set) var lost: Run?

    init() {}

    // MARK: Samples

    /// Adds a valid sample. `trim` when all of an upload have been added and judged.
    mutating func add(_ entry: Entry) {
        if let lost, entry.time >= lost.first { self.lost = nil }
        let index = entries.lastIndex { $0.time <= entry.time }.map { $0 + 1 } ?? 0
        let neighbours = entries[max(0, index - 4)..<min(entries.count, index + 4)]
        let isRepeat = neighbours.contains { other in
            let distance = other.time < entry.time ? entry.time - other.time : other.time - entry.time
            return other.isCritical == entry.isCritical && distance < Self.spacingMin
        }
        guard !isRepeat else { return }
        entries.insert(entry, at: index)
    }

    /// Adds a reading of a sensor without contact: neither normal nor critical.
    mutating func addLost(at time: Timestamp) {
        if let last = entries.last, time < last.time { return }
        guard var run = lost else {
            lost = Run(first: time, last: time)
            return
        }
        guard time - run.last >= Self.spacingMin else { return }
        if time - run.last > gapMax { run = Run(first: time, last: time) } else { Self.extend(&run, to: time) }
        lost = run
    }

    /// Forgets what nothing depends on any more.
    mutating func trim() {
        guard let newest = entries.last?.time else { return }
        let kept =
            entries.lastIndex { newest - $0.time > Self.keptTime }.map { entries.count - $0 - 1 } ?? entries.count
        let count = min(Self.keptMax, max(Self.keptMin, kept))
        if entries.count > count { entries.removeFirst(entries.count - count) }
    }

    // MARK: Runs

    /// Twice the sampling period (the lower median of what is between the samples), or `gapMin` if that is longer.
    var gapMax: Duration {
        var intervals = zip(entries, entries.dropFirst()).suffix(Self.keptMin - 1).map { $1.time - $0.time }
        guard !intervals.isEmpty else { return Self.gapMin }
        intervals.sort()
        return max(Self.gapMin, intervals[(intervals.count - 1) / 2] * 2)
    }

    /// All runs, in order.
    var runs: [Run] {
        let gapMax = gapMax
        var runs: [Run] = []
        var current: Run?
        for entry in entries {
            guard entry.isCritical else {
                if let run = current { runs.append(run) }
                current = nil
                continue
            }
            if var run = current, entry.time - run.last <= gapMax {
                Self.extend(&run, to: entry.time)
                current = run
            } else {
                if let run = current { runs.append(run) }
                current = Run(first: entry.time, last: entry.time)
            }
        }
        if var run = current {
            run.isOpen = true
            runs.append(run)
        }
        return runs
    }

    private static func extend(_ run: inout Run, to time: Timestamp) {
        run.last = time
        run.count += 1
        if run.confirmed == nil, run.count >= samplesMin, time - run.first >= durationMin { run.confirmed = time }
    }

    /// Confirmed runs that have not led to an incident. Runs that have stay marked as they grow.
    mutating func newRuns() -> [Run] {
        var new: [Run] = []
        for run in runs where run.confirmed != nil {
            if let raised = raisedThrough, run.first <= raised {
                raisedThrough = max(raised, run.last)
            } else {
                new.append(run)
            }
        }
        return new
    }

    /// Marks a run that has led to an incident.
    mutating func markRaised(_ run: Run) { raisedThrough = max(raisedThrough ?? run.last, run.last) }

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

    private enum CodingKeys: String, CodingKey {
        case times, critical, raisedThrough, reportedThrough
        case lost = "zeros"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let times = try container.decode([Int64].self, forKey: .times)
        let critical = try container.decode([Bool].self, forKey: .critical)
        entries = zip(times, critical).map { Entry(time: Timestamp(microseconds: $0), isCritical: $1) }
        raisedThrough = try container.decodeIfPresent(Timestamp.self, forKey: .raisedThrough)
        reportedThrough = try container.decodeIfPresent(Timestamp.self, forKey: .reportedThrough)
        lost = try container.decodeIfPresent(Run.self, forKey: .lost)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entries.map(\.time.microseconds), forKey: .times)
        try container.encode(entries.map(\.isCritical), forKey: .critical)
        try container.encodeIfPresent(raisedThrough, forKey: .raisedThrough)
        try container.encodeIfPresent(reportedThrough, forKey: .reportedThrough)
        try container.encodeIfPresent(lost, forKey: .lost)
    }
}
