public import Domain
public import Primitives

/// One moment of a recorded run.
public struct RecordedPoint: Sendable, Equatable {
    public var time: Timestamp
    public var coordinate: Coordinate
    /// Beats per minute.
    public var heartRate: Double?

    public init(time: Timestamp, coordinate: Coordinate, heartRate: Double? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.heartRate = heartRate
    }
}

/// A recorded run, in the order of time.
public struct Recording: Sendable {
    public let points: [RecordedPoint]

    /// Errors: `unexpected` for fewer than two points, or none that moves.
    public init(_ points: [RecordedPoint]) throws(SuiteError) {
        let sorted = points.sorted { $0.time < $1.time }
        do throws(GeometryError) { line = try Polyline(sorted.map(\.coordinate)) } catch {
            throw .unexpected("The recording is no track: \(error)")
        }
        self.points = sorted
    }

    /// The track on the map.
    public let line: Polyline

    public var start: Timestamp { points[0].time }
    public var duration: Duration { points[points.count - 1].time - start }

    /// The part from `from` metres on that is about `length` metres long.
    public func section(from: Double, length: Double) throws(SuiteError) -> Recording {
        try Recording(zip(points, line.distances).filter { (from...(from + length)).contains($0.1) }.map(\.0))
    }

    /// A section of about `length` metres on which somebody really gets ahead, looked for from `part` (0 to 1) of the whole
    /// track on. Errors: `unexpected` when there is none.
    public func steadySection(length: Double, from part: Double) throws(SuiteError) -> Recording {
        let last = line.length - length
        guard last > 0 else { throw .unexpected("The recording is shorter than \(Int(length)) m.") }
        let step = length / 4
        for number in 0...Int(last / step) {
            let begin = (part * last + Double(number) * step).truncatingRemainder(dividingBy: last)
            guard let section = try? section(from: begin, length: length), section.isSteady(length) else { continue }
            return section
        }
        throw .unexpected("The recording has no steady section of \(Int(length)) m.")
    }

    /// Long enough, without gaps or jumps, and not back and forth.
    private func isSteady(_ length: Double) -> Bool {
        let steps = zip(line.distances, line.distances.dropFirst()).map { $1 - $0 }
        return line.length > 0.9 * length && points.count >= 10 && (steps.max() ?? .infinity) < length / 6
            && points[0].coordinate.distance(to: points[points.count - 1].coordinate) > 0.6 * line.length
    }

    /// The same run, begun at `start` and done in `duration`, as fast in each part as it was in proportion.
    public func replayed(at start: Timestamp, in duration: Duration) -> [RecordedPoint] {
        let scale = Double(duration.microseconds) / Double(max(1, self.duration.microseconds))
        return points.map { point in
            let elapsed = Double((point.time - self.start).microseconds) * scale
            var moved = point
            moved.time = start + .microseconds(Int64(elapsed))
            return moved
        }
    }

    /// Where the runner is at `time`: between two points on the way from one to the other, at the ends outside of it.
    public static func position(at time: Timestamp, in points: [RecordedPoint]) -> Coordinate {
        guard let next = points.firstIndex(where: { $0.time >= time }) else {
            return points[points.count - 1].coordinate
        }
        guard next > 0 else { return points[0].coordinate }
        let (from, to) = (points[next - 1], points[next])
        let span = Double((to.time - from.time).microseconds)
        let part = span > 0 ? Double((time - from.time).microseconds) / span : 1
        return from.coordinate.moved(
            metres: from.coordinate.distance(to: to.coordinate) * part,
            bearing: from.coordinate.bearing(to: to.coordinate))
    }
}
