import Domain
import Primitives

/// A place where a person stayed, or a way between two of them (ING-08).
enum LocationSpan: Sendable, Equatable {
    struct Place: Sendable, Equatable {
        /// The mean of the fixes.
        let centre: Coordinate
        let from: Timestamp
        let to: Timestamp
        /// Numbers of the fixes.
        let fixes: Range<Int>
    }

    struct Track: Sendable, Equatable {
        let from: Timestamp
        let to: Timestamp
        /// Along the fixes, in metres.
        let distance: Double
        let fixes: Range<Int>
    }

    case place(Place)
    case track(Track)
}

/// Divides fixes into places and tracks: a place is where the person stayed within `radius` of the first fix for `stayMin`, a
/// track what lies between (stay points: Li and others 2008, Mining user similarity based on location history). Who runs laps there
/// does not stay: `fastMax` steps one after the other that are faster than a walk end a stay. One or two may be a wrong fix. A
/// pause without fixes of more than `pauseMax` ends a track.
struct Places {
    /// In metres.
    static let radius = 200.0
    static let stayMin = Duration.seconds(20 * 60)
    static let pauseMax = Duration.seconds(30 * 60)
    /// The beginning of a stay is looked for in such steps, so that a fix is compared with `stayMin / step` others at most.
    static let step = Duration.seconds(60)
    /// In metres per second: people walk with 1.4 and begin to run at 2 (Browning and others 2006; Hreljac 1993).
    static let walk = 1.5
    static let fastMax = 3

    private let fixes: [PositionFix]

    /// Of fixes in the order of time.
    static func spans(of fixes: [PositionFix]) -> [LocationSpan] { Places(fixes: fixes).spans }

    private var spans: [LocationSpan] {
        var spans: [LocationSpan] = []
        var trackStart = 0
        var first = 0
        while first < fixes.count {
            let end = stayEnd(from: first)
            guard fixes[end - 1].time - fixes[first].time >= Self.stayMin else {
                first = nextStart(after: first)
                continue
            }
            spans += tracks(trackStart..<first)
            spans.append(.place(place(first..<end)))
            (first, trackStart) = (end, end)
        }
        return spans + tracks(trackStart..<fixes.count)
    }

    /// The end of the fixes from `first` on that are within the radius, and before the person begins to run.
    private func stayEnd(from first: Int) -> Int {
        var end = first + 1
        var stepStart = first
        var (fast, fastStart) = (0, first)
        while end < fixes.count, fixes[first].coordinate.distance(to: fixes[end].coordinate) <= Self.radius {
            let time = fixes[end].time - fixes[stepStart].time
            if time >= Self.step {
                let way = fixes[stepStart].coordinate.distance(to: fixes[end].coordinate)
                if way > Self.walk * (time / .seconds(1)) {
                    if fast == 0 { fastStart = stepStart }
                    fast += 1
                    if fast == Self.fastMax { return fastStart + 1 }
                } else {
                    fast = 0
                }
                stepStart = end
            }
            end += 1
        }
        return end
    }

    private func nextStart(after first: Int) -> Int {
        var next = first + 1
        while next < fixes.count, fixes[next].time - fixes[first].time < Self.step { next += 1 }
        return next
    }

    private func place(_ range: Range<Int>) -> LocationSpan.Place {
        let origin = fixes[range.lowerBound].coordinate
        var (latitude, longitude) = (0.0, 0.0)
        for fix in fixes[range] {
            latitude += fix.coordinate.latitude
            // From the first one, so that a place at the date line has a mean.
            longitude += (fix.coordinate.longitude - origin.longitude + 540).truncatingRemainder(dividingBy: 360) - 180
        }
        let count = Double(range.count)
        let mean = (origin.longitude + longitude / count + 540).truncatingRemainder(dividingBy: 360) - 180
        return .init(
            centre: Coordinate(latitude: latitude / count, longitude: mean) ?? origin,
            from: fixes[range.lowerBound].time, to: fixes[range.upperBound - 1].time, fixes: range)
    }

    private func tracks(_ range: Range<Int>) -> [LocationSpan] {
        var tracks: [LocationSpan] = []
        var start = range.lowerBound
        for index in range {
            let next = index + 1
            guard next == range.upperBound || fixes[next].time - fixes[index].time > Self.pauseMax else { continue }
            // A single fix is no way.
            if next - start > 1 { tracks.append(.track(track(start..<next))) }
            start = next
        }
        return tracks
    }

    private func track(_ range: Range<Int>) -> LocationSpan.Track {
        let distance = range.dropFirst().reduce(0.0) {
            $0 + fixes[$1 - 1].coordinate.distance(to: fixes[$1].coordinate)
        }
        return .init(
            from: fixes[range.lowerBound].time, to: fixes[range.upperBound - 1].time, distance: distance, fixes: range)
    }
}
