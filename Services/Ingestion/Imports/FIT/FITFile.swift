import Domain
import Primitives

/// What is known of the file that is being read.
struct FITFile {
    /// A session or lap.
    struct Section {
        let place: Int
        let start: Timestamp?
        let duration: Duration?
        let sport: Int64?
        let subSport: Int64?
        let calories: Double?

        init(_ message: FITMessage) {
            place = message.place
            var start = message.time(2).flatMap(FITFile.timestamp)
            var duration: Duration? = message.integer(7).map { .milliseconds($0) }
            // The message's own time is when it was written: it stands for the end only where that is not told otherwise.
            let end = message.time(253).flatMap(FITFile.timestamp)
            if start == nil, let end, let duration { start = end - duration }
            if duration == nil, let start, let end, start < end { duration = end - start }
            (self.start, self.duration) = (start, duration)
            (sport, subSport) =
                message.global == 18
                ? (message.integer(5), message.integer(6)) : (message.integer(25), message.integer(39))
            calories = message.number(11)
        }

        /// From its start until the time that has elapsed; `nil` when that is not told.
        var span: Range<Timestamp>? {
            guard let start, let duration, duration > .zero else { return nil }
            return start..<start + duration
        }

        var activity: Activity {
            let kind: Activity.Kind =
                switch sport {
                case 1: .running
                case 2, 21: .cycling
                case 5: .swimming
                case 10 where subSport == 20: .strengthTraining
                case 11: .walking
                case 12, 13, 14: .skiing
                case 15: .rowing
                case 17, 16: .hiking
                case 24: .driving
                case 83: .dancing
                default: .other
                }
            let place: Activity.Place =
                switch subSport {
                case 1, 5, 6, 14, 15, 16, 17, 25, 27, 45, 58, 68, 71, 86, 87, 88: .indoor
                case 2, 3, 4, 7, 8, 9, 11, 18, 37, 38, 46: .outdoor
                default: .unknown
                }
            return Activity(kind, place)
        }
    }

    /// A distance from one point to the next, until its session tells whether it was on foot.
    struct Distance {
        let place: Int
        let span: ImportCollector.Span
        let metres: Double
    }

    var isPlan = false
    var zone: ZoneOffset?
    var sessions: [Section] = []
    /// How many of them were given out.
    var sessionsGiven = 0
    var laps: [Section] = []
    var distances: [Distance] = []
    /// The last point's distance, in the steps of the data type, and time.
    var covered: (distance: Int64, time: Timestamp?)?
    /// Midnight, if the file begins there: all totals are 0 then.
    var midnight: Timestamp?
    /// Totals of the day by kind of activity.
    var totals: [Int64: FITTotals] = [:]
    /// The time of the last monitoring message that gave it in full.
    var monitoringTime: UInt32?
    var asleepSince: (time: Timestamp, place: Int)?

    mutating func forgetSessions() { (sessions, sessionsGiven) = ([], 0) }

    /// Seconds from 1970 to 1989-12-31.
    private static let epoch: Int64 = 631_065_600

    static func timestamp(_ time: UInt32) -> Timestamp? {
        time < 0x1000_0000 ? nil : Timestamp(milliseconds: (Int64(time) + epoch) * 1000)
    }

    static func zone(local: UInt32?, at time: UInt32?) -> ZoneOffset? {
        guard let local, let time else { return nil }
        let seconds = Int64(local) - Int64(time)
        // Clocks of watches are set by the minute.
        return ZoneOffset(minutes: Int((Double(seconds) / 900).rounded()) * 15)
    }
}

/// The sessions of a file, in the order of time.
struct FITSessions {
    private var all: [(span: Range<Timestamp>, session: FITFile.Section)] = []

    init(_ sessions: [FITFile.Section]) {
        for session in sessions {
            if let span = session.span { all.append((span, session)) }
        }
        all.sort { $0.span.lowerBound < $1.span.lowerBound }
    }

    /// Which was under way; of several the one that began last.
    func session(at time: Timestamp?) -> FITFile.Section? {
        guard let time else { return nil }
        var (first, end) = (0, all.count)
        while first < end {
            let middle = (first + end) / 2
            if all[middle].span.lowerBound <= time { first = middle + 1 } else { end = middle }
        }
        guard first > 0, all[first - 1].span.contains(time) else { return nil }
        return all[first - 1].session
    }
}

/// What monitoring has counted since midnight of one kind of activity; `nil` until it says so.
struct FITTotals {
    struct Total {
        let value: Int64
        let time: Timestamp?
    }

    var steps: Total?
    /// In centimetres.
    var distance: Total?
    var calories: Total?
}
