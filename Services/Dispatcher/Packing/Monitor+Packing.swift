import Domain
import JSON
import Primitives
import Security
import Service

/// The compact form of a monitor, in memory and, sealed, in the database: some hundred bytes for a person with a watch, where the same in
/// JSON is two thousand. It begins with its version; what a later version has written is not read.
extension Monitor {
    static let packedVersion: UInt8 = 1
    /// Tracks, offsets and the like in one monitor that is read.
    private static let listMax = 1024

    private enum Mark {
        static let silent: UInt8 = 1
        static let episode: UInt8 = 2
        static let judgeBy: UInt8 = 4
        static let pressures: UInt8 = 8
        static let shaking: UInt8 = 16
        static let thermometer: UInt8 = 32
        static let provisional: UInt8 = 64
    }

    /// Equal monitors give equal bytes, in every process.
    var packed: [UInt8] {
        var packer = Packer(bytesExpected: 64 + tracks.count * 160 + fixes.count * 24)
        packer.add(byte: Self.packedVersion)
        packer.add(byte: phase.code)
        packer.add(
            byte: (silentSince == nil ? 0 : Mark.silent) | (episode == nil ? 0 : Mark.episode)
                | (judgeBy == nil ? 0 : Mark.judgeBy) | (pressures.waiting.isEmpty ? 0 : Mark.pressures)
                | (shaking == ShakingWatch() ? 0 : Mark.shaking)
                | (thermometer == LooseThermometer() ? 0 : Mark.thermometer)
                | (provisional.isEmpty ? 0 : Mark.provisional))
        packer.add(lastVitalAt)
        if let silentSince { packer.add(silentSince) }
        if let episode {
            packer.add(episode.lowerBound)
            packer.add(episode.upperBound)
        }
        if let judgeBy { packer.add(judgeBy) }
        circumstances.pack(into: &packer)
        packTracks(into: &packer)
        packer.add(lastVitals.values.sorted { $0.type.rawValue < $1.type.rawValue }) { packer, vital in
            packer.add(vital.type)
            packer.add(vital.value)
            packer.add(vital.time)
        }
        packFixes(into: &packer)
        if !pressures.waiting.isEmpty { pressures.pack(into: &packer) }
        if shaking != ShakingWatch() { shaking.pack(into: &packer) }
        if thermometer != LooseThermometer() { thermometer.pack(into: &packer) }
        if !provisional.isEmpty { provisional.pack(into: &packer) }
        return packer.bytes
    }

    private func packTracks(into packer: inout Packer) {
        packer.add(clockOffsets.sorted { $0.key < $1.key }) { packer, offset in
            packer.add(source: offset.key)
            packer.add(offset.value)
        }
        packer.add(tracks.sorted { $0.key < $1.key }) { packer, track in
            packer.add(source: track.key.source)
            packer.add(track.key.type)
            track.value.pack(into: &packer)
        }
    }

    private func packFixes(into packer: inout Packer) {
        packer.add(fixes) { packer, fix in
            packer.add(byte: (fix.altitude == nil ? 0 : 1) | (fix.accuracy == nil ? 0 : 2))
            packer.add(fix.time)
            packer.add(fix.coordinate.latitude)
            packer.add(fix.coordinate.longitude)
            if let altitude = fix.altitude { packer.add(altitude) }
            if let accuracy = fix.accuracy { packer.add(accuracy) }
        }
    }

    /// `lastVitalAt` of a packed monitor, of which nothing else is read.
    static func lastVitalAt(packed bytes: [UInt8]) throws(PackingError) -> Timestamp {
        var unpacker = Unpacker(bytes)
        return try head(from: &unpacker).lastVitalAt
    }

    private static func head(
        from unpacker: inout Unpacker
    ) throws(PackingError) -> (phase: MonitorPhase, marks: UInt8, lastVitalAt: Timestamp) {
        let version = try unpacker.byte()
        guard version == packedVersion else { throw .version(version) }
        guard let phase = MonitorPhase(code: try unpacker.byte()) else { throw .value }
        return (phase, try unpacker.byte(), try unpacker.time())
    }

    init(packed bytes: [UInt8]) throws(PackingError) {
        var unpacker = Unpacker(bytes)
        let (phase, marks, lastVitalAt) = try Self.head(from: &unpacker)
        self.init(phase: phase, lastVitalAt: lastVitalAt)
        if marks & Mark.silent != 0 { silentSince = try unpacker.time() }
        if marks & Mark.episode != 0 {
            let (from, through) = (try unpacker.time(), try unpacker.time())
            guard from <= through else { throw .value }
            episode = from...through
        }
        if marks & Mark.judgeBy != 0 { judgeBy = try unpacker.time() }
        circumstances = try Circumstances(from: &unpacker)
        try unpackTracks(from: &unpacker)
        for _ in 0..<(try unpacker.count()) {
            let type = try unpacker.type()
            let value = try unpacker.decimal()
            lastVitals[type] = LastVital(type: type, value: value, time: try unpacker.time())
        }
        try unpackFixes(from: &unpacker)
        if marks & Mark.pressures != 0 { pressures = try PressurePairs(from: &unpacker) }
        if marks & Mark.shaking != 0 { shaking = try ShakingWatch(from: &unpacker) }
        if marks & Mark.thermometer != 0 { thermometer = try LooseThermometer(from: &unpacker) }
        if marks & Mark.provisional != 0 { provisional = try ProvisionalTimes(from: &unpacker) }
        try unpacker.finish()
    }

    private mutating func unpackTracks(from unpacker: inout Unpacker) throws(PackingError) {
        let offsets = try unpacker.count()
        clockOffsets.reserveCapacity(offsets)
        for _ in 0..<offsets {
            let source = try unpacker.source()
            clockOffsets[source] = try unpacker.duration()
        }
        let count = try unpacker.count()
        tracks.reserveCapacity(min(count, Self.listMax))
        for _ in 0..<count {
            let source = try unpacker.source()
            let type = try unpacker.type()
            tracks[TrackKey(source: source, type: type)] = try VitalTrack(from: &unpacker)
        }
    }

    private mutating func unpackFixes(from unpacker: inout Unpacker) throws(PackingError) {
        fixes = try unpacker.list { unpacker throws(PackingError) in
            let marks = try unpacker.byte()
            let time = try unpacker.time()
            let (latitude, longitude) = (try unpacker.decimal(), try unpacker.decimal())
            guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { throw .value }
            let altitude = marks & 1 != 0 ? try unpacker.decimal() : nil
            let accuracy = marks & 2 != 0 ? try unpacker.decimal() : nil
            return PositionFix(time: time, coordinate: coordinate, altitude: altitude, accuracy: accuracy)
        }
    }
}

extension Monitor.TrackKey: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        left.source != right.source ? left.source < right.source : left.type.rawValue < right.type.rawValue
    }
}

extension MonitorPhase {
    private static let order: [MonitorPhase] = [.normal, .alerted, .confirmed, .blind]

    fileprivate var code: UInt8 { UInt8(Self.order.firstIndex(of: self) ?? 0) }

    fileprivate init?(code: UInt8) {
        guard Int(code) < Self.order.count else { return nil }
        self = Self.order[Int(code)]
    }
}

extension Monitor {
    /// Reads a monitor. One that cannot be read is replaced by an empty one, and the operator is told: it matters more that the
    /// person goes on being watched than what was seen a moment ago.
    static func unpacked(_ read: () throws -> [UInt8], of account: UUID, at now: Timestamp, log: Log) -> Monitor {
        do {
            return try Monitor(packed: try read())
        } catch {
            log.error(
                "a monitor cannot be read and begins anew",
                ["account": .string(account.description), "error": Log.text(of: error)])
            return Monitor(begunAt: now)
        }
    }

    /// The same of one as it rests in the database.
    static func opened(
        _ state: [UInt8], of account: UUID, with key: SubjectKey, at now: Timestamp, log: Log
    ) -> Monitor {
        unpacked(
            { try PersonalColumn.monitor.open(bytes: state, of: account, with: key) }, of: account, at: now, log: log)
    }

    func sealed(of account: UUID, with key: SubjectKey) -> [UInt8] {
        PersonalColumn.monitor.seal(bytes: packed, of: account, with: key)
    }
}
