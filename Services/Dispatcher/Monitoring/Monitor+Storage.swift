import Domain
import JSON
import Primitives
import Security
import Service

extension Monitor {
    /// Opens a stored monitor. One that cannot be read is replaced by an empty one, and the operator is told: it
    /// matters more that the person goes on being watched than what was seen a moment ago.
    static func opened(
        _ state: [UInt8], of account: UUID, with key: SubjectKey, at now: Timestamp, log: Log
    ) -> Monitor {
        do {
            return try PersonalColumn.monitor.open(state, of: account, with: key)
        } catch {
            log.error(
                "a monitor cannot be read and begins anew",
                ["account": .string(account.description), "error": Log.text(of: error)])
            return Monitor(begunAt: now)
        }
    }
}

/// The form in which a monitor is stored.
private struct StoredMonitor: Codable {
    struct Track: Codable {
        var source: UUID
        var type: DataType
        var track: VitalTrack
    }

    struct Offset: Codable {
        var source: UUID
        var microseconds: Int64
    }

    var phase: MonitorPhase
    var tracks: [Track]
    var offsets: [Offset]
    var vitals: [Monitor.LastVital]
    var fixes: [StoredFix]
    var exerciseFrom: Timestamp?
    var exerciseThrough: Timestamp?
    var lastVitalAt: Timestamp
    var silentSince: Timestamp?
    var episodeFrom: Timestamp?
    var episodeThrough: Timestamp?
    var judgeBy: Timestamp?

    init(_ monitor: Monitor) {
        phase = monitor.phase
        tracks = monitor.tracks.map { Track(source: $0.key.source, type: $0.key.type, track: $0.value) }
        offsets = monitor.clockOffsets.map { Offset(source: $0.key, microseconds: $0.value.microseconds) }
        vitals = Array(monitor.lastVitals.values)
        fixes = monitor.fixes.map(StoredFix.init)
        exerciseFrom = monitor.exercise?.lowerBound
        exerciseThrough = monitor.exercise?.upperBound
        lastVitalAt = monitor.lastVitalAt
        silentSince = monitor.silentSince
        episodeFrom = monitor.episode?.lowerBound
        episodeThrough = monitor.episode?.upperBound
        judgeBy = monitor.judgeBy
    }

    var monitor: Monitor {
        var monitor = Monitor(phase: phase, lastVitalAt: lastVitalAt)
        for stored in tracks {
            monitor.tracks[Monitor.TrackKey(source: stored.source, type: stored.type)] = stored.track
        }
        for stored in offsets { monitor.clockOffsets[stored.source] = .microseconds(stored.microseconds) }
        for vital in vitals { monitor.lastVitals[vital.type] = vital }
        monitor.fixes = fixes.map(\.fix)
        if let exerciseFrom, let exerciseThrough, exerciseFrom <= exerciseThrough {
            monitor.exercise = exerciseFrom...exerciseThrough
        }
        monitor.silentSince = silentSince
        if let episodeFrom, let episodeThrough, episodeFrom <= episodeThrough {
            monitor.episode = episodeFrom...episodeThrough
        }
        monitor.judgeBy = judgeBy
        return monitor
    }
}

extension Monitor: Codable {
    init(from decoder: any Decoder) throws {
        self = try StoredMonitor(from: decoder).monitor
    }

    func encode(to encoder: any Encoder) throws {
        try StoredMonitor(self).encode(to: encoder)
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
