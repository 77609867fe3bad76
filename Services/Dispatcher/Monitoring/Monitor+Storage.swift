import Domain
import JSON
import Primitives
import Service

extension SealedColumns {
    /// A monitor as it is stored. One that cannot be read begins anew, and the operator hears of it: what was seen a moment
    /// ago counts for less than that the person goes on being watched.
    func openMonitor(_ state: [UInt8], of account: UUID, at now: Timestamp, log: Log) -> Monitor {
        do {
            return try open(state, as: Monitor.self, .monitor, row: account)
        } catch {
            log.error(
                "a monitor cannot be read and begins anew",
                ["account": .string(account.description), "error": Log.text(of: error)])
            return Monitor(begunAt: now)
        }
    }
}

/// The form in which a monitor is stored.
extension Monitor: Codable {
    private struct StoredTrack: Codable {
        var source: UUID
        var type: DataType
        var track: VitalTrack
    }

    private struct StoredOffset: Codable {
        var source: UUID
        var microseconds: Int64
    }

    private enum CodingKeys: String, CodingKey {
        case phase, tracks, offsets, vitals, fixes, exerciseFrom, exerciseThrough, heardAt
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(phase: try container.decode(MonitorPhase.self, forKey: .phase))
        for stored in try container.decode([StoredTrack].self, forKey: .tracks) {
            tracks[TrackKey(source: stored.source, type: stored.type)] = stored.track
        }
        for stored in try container.decode([StoredOffset].self, forKey: .offsets) {
            clockOffsets[stored.source] = .microseconds(stored.microseconds)
        }
        for vital in try container.decode([LastVital].self, forKey: .vitals) { lastVitals[vital.type] = vital }
        fixes = try container.decode([StoredFix].self, forKey: .fixes).map(\.fix)
        if let from = try container.decodeIfPresent(Timestamp.self, forKey: .exerciseFrom),
            let through = try container.decodeIfPresent(Timestamp.self, forKey: .exerciseThrough), from <= through
        {
            exercise = from...through
        }
        heardAt = try container.decodeIfPresent(Timestamp.self, forKey: .heardAt)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase, forKey: .phase)
        let stored = tracks.map { StoredTrack(source: $0.key.source, type: $0.key.type, track: $0.value) }
        try container.encode(stored, forKey: .tracks)
        let offsets = clockOffsets.map { StoredOffset(source: $0.key, microseconds: $0.value.microseconds) }
        try container.encode(offsets, forKey: .offsets)
        try container.encode(Array(lastVitals.values), forKey: .vitals)
        try container.encode(fixes.map(StoredFix.init), forKey: .fixes)
        try container.encodeIfPresent(exercise?.lowerBound, forKey: .exerciseFrom)
        try container.encodeIfPresent(exercise?.upperBound, forKey: .exerciseThrough)
        try container.encodeIfPresent(heardAt, forKey: .heardAt)
    }
}

/// A position as it is stored with monitors and incidents.
struct StoredFix: Sendable, Equatable, Codable {
    var time: Timestamp
    var coordinate: Coordinate
    var altitude: Double?
    var accuracy: Double?

    init(_ fix: PositionFix) {
        time = fix.time
        coordinate = fix.coordinate
        altitude = fix.altitude
        accuracy = fix.accuracy
    }

    var fix: PositionFix {
        PositionFix(time: time, coordinate: coordinate, altitude: altitude, accuracy: accuracy)
    }
}
