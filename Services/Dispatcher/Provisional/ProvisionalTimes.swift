import Domain
import Primitives

/// What a monitor has judged that ingestion had not stored (SOS-05): provisional samples, until they come again from storage. Empty
/// but for the time after ingestion's database was away.
struct ProvisionalTimes: Sendable, Equatable {
    /// An emergency that rests on provisional samples, and those of them that have not come from storage yet.
    struct Raised: Sendable, Equatable {
        let origin: Finding.Origin
        var times: [Timestamp]
    }

    private struct Track: Sendable, Equatable {
        let source: UUID
        let type: DataType
        var times: [Timestamp]
    }

    static let tracksMax = Monitor.tracksMax
    static let timesMax = VitalTrack.keptMax
    static let raisedMax = 4
    static let knownMax = 8

    /// The last samples, by the sources' clocks.
    private var tracks: [Track] = []
    private(set) var raised: [Raised] = []
    /// The last that were raised so, whether stored since or not.
    private var known: [Finding.Origin] = []
    /// Emergencies all of whose samples are stored now, until they are taken.
    private var stored: [Finding.Origin] = []

    var isEmpty: Bool { tracks.isEmpty && raised.isEmpty && known.isEmpty && stored.isEmpty }

    /// Adds a provisional sample. Call for none that has come from storage already.
    mutating func add(_ time: Timestamp, _ source: UUID, _ type: DataType) {
        if let index = index(source, type) {
            guard !tracks[index].times.contains(where: { Self.areSame($0, time) }) else { return }
            tracks[index].times.append(time)
            if tracks[index].times.count > Self.timesMax { tracks[index].times.removeFirst() }
        } else {
            tracks.append(Track(source: source, type: type, times: [time]))
            if tracks.count > Self.tracksMax { tracks.removeFirst() }
        }
    }

    /// A sample has come from storage.
    mutating func store(_ time: Timestamp, _ source: UUID, _ type: DataType) {
        if let index = index(source, type) {
            tracks[index].times.removeAll { Self.areSame($0, time) }
            if tracks[index].times.isEmpty { tracks.remove(at: index) }
        }
        for index in raised.indices where raised[index].origin.source == source && raised[index].origin.type == type {
            raised[index].times.removeAll { Self.areSame($0, time) }
        }
        stored += raised.filter(\.times.isEmpty).map(\.origin)
        raised.removeAll(where: \.times.isEmpty)
    }

    /// Whether a run has provisional samples.
    func has(_ run: VitalTrack.Run, _ source: UUID, _ type: DataType) -> Bool { !times(of: run, source, type).isEmpty }

    /// Call when a run that may have provisional samples has led to an emergency.
    mutating func raise(_ run: VitalTrack.Run, _ origin: Finding.Origin) {
        let times = times(of: run, origin.source, origin.type)
        guard !times.isEmpty, !raised.contains(where: { $0.origin == origin }) else { return }
        raised.append(Raised(origin: origin, times: times))
        if raised.count > Self.raisedMax { raised.removeFirst() }
        known.append(origin)
        if known.count > Self.knownMax { known.removeFirst() }
    }

    /// Whether an emergency was raised already: its samples have come again, from a device whose clock was set meanwhile or that
    /// says they were sent as long ago as it says they were measured.
    func knows(_ origin: Finding.Origin) -> Bool { known.contains(origin) }

    /// Emergencies all of whose samples have been stored since the last call.
    mutating func takeStored() -> [Finding.Origin] {
        defer { stored = [] }
        return stored
    }

    private func times(of run: VitalTrack.Run, _ source: UUID, _ type: DataType) -> [Timestamp] {
        guard let index = index(source, type) else { return [] }
        return tracks[index].times.filter { $0 >= run.first && $0 <= run.last }
    }

    private func index(_ source: UUID, _ type: DataType) -> Int? {
        tracks.firstIndex { $0.source == source && $0.type == type }
    }

    /// Of a device whose times are corrected they differ a little each time that it sends.
    private static func areSame(_ one: Timestamp, _ other: Timestamp) -> Bool {
        abs((one - other).microseconds) < VitalTrack.spacingMin.microseconds
    }
}

extension ProvisionalTimes {
    func pack(into packer: inout Packer) {
        packer.add(tracks) { packer, track in
            packer.add(source: track.source)
            packer.add(track.type)
            Self.pack(track.times, into: &packer)
        }
        packer.add(raised) { packer, raised in
            Self.pack(raised.origin, into: &packer)
            Self.pack(raised.times, into: &packer)
        }
        for origins in [known, stored] {
            packer.add(origins) { Self.pack($1, into: &$0) }
        }
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        tracks = try unpacker.list { unpacker throws(PackingError) in
            let source = try unpacker.source()
            let type = try unpacker.type()
            return Track(source: source, type: type, times: try Self.times(from: &unpacker))
        }
        raised = try unpacker.list { unpacker throws(PackingError) in
            let origin = try Self.origin(from: &unpacker)
            return Raised(origin: origin, times: try Self.times(from: &unpacker))
        }
        known = try unpacker.list { unpacker throws(PackingError) in try Self.origin(from: &unpacker) }
        stored = try unpacker.list { unpacker throws(PackingError) in try Self.origin(from: &unpacker) }
    }

    private static func pack(_ times: [Timestamp], into packer: inout Packer) {
        packer.add(times) { $0.add($1) }
    }

    private static func times(from unpacker: inout Unpacker) throws(PackingError) -> [Timestamp] {
        try unpacker.list { unpacker throws(PackingError) in try unpacker.time() }
    }

    private static func pack(_ origin: Finding.Origin, into packer: inout Packer) {
        packer.add(source: origin.source)
        packer.add(origin.type)
        packer.add(origin.time)
    }

    private static func origin(from unpacker: inout Unpacker) throws(PackingError) -> Finding.Origin {
        let source = try unpacker.source()
        let type = try unpacker.type()
        return Finding.Origin(source: source, type: type, time: try unpacker.time())
    }
}
