import Domain
import Primitives

/// All samples of one person, one data type and one UTC day, of all sources: what a block holds (ARCHITECTURE, "Samples").
///
/// A sample belongs to the day of its beginning, or to that of its end when it is sleep (`BlockKey.day`); what people see are
/// local days, which are made of the hours of blocks (`CountedDay`). It lies in one block only: amounts of intervals that reach into
/// the days after are in the block's `DaySummary`.
struct BlockSamples: Equatable, Sendable {
    /// Samples of one block: ten every second of a day, as motion sensors measure, with some to spare.
    static let samplesMax = 1_000_000
    static let sourcesMax = 1000

    let type: DataType
    let day: CalendarDate
    /// In the order of their numbers, none without samples.
    private(set) var sources: [SourceSamples] = []

    init(type: DataType, day: CalendarDate) {
        self.type = type
        self.day = day
    }

    /// Of each source once, with samples, in the order of their numbers.
    init(type: DataType, day: CalendarDate, sources: [SourceSamples]) {
        self.init(type: type, day: day)
        self.sources = sources
    }

    var count: Int { sources.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { sources.isEmpty }

    /// When the last of its samples begins, in milliseconds since 1970.
    var lastTime: Int64 { sources.compactMap(\.times.last).max() ?? .min }

    /// The greatest number of an arrival with a sample in here; 0 without samples.
    var lastArrival: Int64 { sources.reduce(0) { max($0, $1.arrivals.max() ?? 0) } }

    /// Adds samples of one source, in any order and with repeats; call `normalize` when all are added.
    mutating func append(_ samples: SourceSamples) {
        guard samples.count > 0 else { return }
        let place = place(of: samples.source)
        sources[place].append(0..<samples.count, of: samples)
    }

    /// The same of what one arrival brought, in a zone (minutes).
    mutating func append(
        _ range: Range<Int>, of column: ValueColumn, zone: Int16, from source: Int16, arrival: Int64
    ) {
        let place = place(of: source)
        sources[place].append(range, of: column, zone: zone, arrival: arrival)
    }

    /// The same of positions.
    mutating func append(
        _ range: Range<Int>, of column: PositionColumn, zone: Int16, from source: Int16, arrival: Int64
    ) {
        let place = place(of: source)
        sources[place].append(range, of: column, zone: zone, arrival: arrival)
    }

    /// Where the source's samples are or are to be.
    private mutating func place(of source: Int16) -> Int {
        let place = sources.firstIndex { $0.source >= source } ?? sources.count
        if place == sources.count || sources[place].source != source {
            sources.insert(SourceSamples(source: source, type: type), at: place)
        }
        return place
    }

    /// Puts each source's samples in order. Of exact repeats of a source the one that arrived first stays, so that readers
    /// who have it do not get it again.
    mutating func normalize() {
        for index in sources.indices { sources[index].normalize() }
    }

    /// Adds the samples of another block of the same type and day: late ones, or what has arrived since this one was
    /// sealed. Returns how many did not fit (`samplesMax`, `sourcesMax`): the last ones of the source with the most samples.
    mutating func merge(_ new: BlockSamples) -> Int {
        if isEmpty, new.count <= Self.samplesMax, new.sources.count <= Self.sourcesMax {
            self = new
            normalize()
            return 0
        }
        var dropped = 0
        for source in new.sources.sorted(by: { $0.count < $1.count }) {
            let isKnown = sources.contains { $0.source == source.source }
            let room = isKnown || sources.count < Self.sourcesMax ? min(Self.samplesMax - count, source.count) : 0
            append(room == source.count ? source : source.filtered { $0 < room })
            dropped += source.count - room
        }
        normalize()
        return dropped
    }

    /// The samples whose times fulfil a condition.
    func filtered(_ isIncluded: (Int64) -> Bool) -> BlockSamples {
        let found = sources.map { source in
            let times = source.times
            return source.filtered { isIncluded(times[$0]) }
        }
        return BlockSamples(type: type, day: day, sources: found.filter { $0.count > 0 })
    }

    /// The samples that arrived after one arrival and not after another, of all sources, as readers in the order of
    /// arrival get them.
    func batches(after: Int64, through: Int64) -> [SampleBatch] {
        sources.compactMap { source in
            let found = source.filtered { source.arrivals[$0] > after && source.arrivals[$0] <= through }
            return found.count > 0 ? found.batch : nil
        }
    }
}

/// The samples of one source in a block.
struct SourceSamples: Equatable, Sendable {
    /// The person's own number of it (table `source`); 0 for manual entry.
    let source: Int16
    /// Empty when the block holds positions.
    private(set) var values: ValueColumn
    /// Empty when it holds values.
    private(set) var positions: PositionColumn
    /// For each sample the number of the arrival that brought it.
    private(set) var arrivals: [Int64]

    var count: Int { arrivals.count }

    /// `arrivals` is as long as the column.
    init(source: Int16, values: ValueColumn, arrivals: [Int64]) {
        self.source = source
        self.values = values
        positions = PositionColumn()
        self.arrivals = arrivals
    }

    /// `arrivals` is as long as the column.
    init(source: Int16, positions: PositionColumn, arrivals: [Int64]) {
        self.source = source
        values = ValueColumn(type: .position)
        self.positions = positions
        self.arrivals = arrivals
    }

    /// Without samples.
    init(source: Int16, type: DataType) {
        self.init(source: source, values: ValueColumn(type: type), arrivals: [])
    }

    var times: [Int64] { values.count > 0 ? values.times : positions.times }
    var zones: ZoneColumn { values.count > 0 ? values.zones : positions.zones }

    /// For the answers that are made of batches.
    var batch: SampleBatch {
        values.count > 0 ? SampleBatch(values: [values]) : SampleBatch(positions: positions)
    }

    /// Those whose number fulfils a condition.
    func filtered(_ isIncluded: (Int) -> Bool) -> SourceSamples {
        var result = emptied
        for range in (0..<count).filter(isIncluded).runs { result.append(range, of: self) }
        return result
    }

    mutating func append(_ range: Range<Int>, of other: SourceSamples) {
        if other.values.count > 0 { values.append(range, of: other.values) }
        if other.positions.count > 0 { positions.append(range, of: other.positions) }
        arrivals += other.arrivals[range]
    }

    mutating func append(_ range: Range<Int>, of column: ValueColumn, zone: Int16, arrival: Int64) {
        values.append(range, of: column, zone: zone)
        for _ in range { arrivals.append(arrival) }
    }

    mutating func append(_ range: Range<Int>, of column: PositionColumn, zone: Int16, arrival: Int64) {
        positions.append(range, of: column, zone: zone)
        for _ in range { arrivals.append(arrival) }
    }

    private var emptied: SourceSamples { SourceSamples(source: source, type: values.type) }

    mutating func normalize() {
        if values.count > 0 { normalize(values) } else { normalize(positions) }
    }

    /// Puts the samples in order; repeats stay, as those of another source.
    mutating func sort() {
        if values.count > 0 { normalize(values, keepsRepeats: true) } else { normalize(positions, keepsRepeats: true) }
    }

    func hasContact(_ index: Int) -> Bool { values.count == 0 || values.hasContact(index) }

    private mutating func normalize(_ column: some SampleColumn, keepsRepeats: Bool = false) {
        guard !column.isAscending else { return }
        let ordered = (0..<count).sorted {
            column.isBefore($0, $1) || !column.isBefore($1, $0) && arrivals[$0] < arrivals[$1]
        }
        var result = emptied
        for range in (keepsRepeats ? ordered : column.withoutRepeats(ordered)).runs { result.append(range, of: self) }
        self = result
    }
}
