import Contracts
import Domain
import Primitives

/// What a runner's device sends.
enum Samples {
    /// One fix a second along `path` at an even pace, from the first second after `from`.
    static func running(
        _ account: UUID, _ path: Polyline, from start: Timestamp, since: Double = 0, speed: Double, seconds: Double,
        heartRate: Double? = nil, clockError: Duration = .zero
    ) -> Ingestion.LiveSamples {
        let steps = stride(from: since + 1, through: seconds, by: 1).map { $0 }
        let points = steps.map { path.point(at: $0 * speed) }
        let offsets = steps.map { Int64($0 * 1000) }
        var series = [
            SampleSeries(
                type: .position, start: start + clockError, offsets: offsets, latitudes: points.map(\.latitude),
                longitudes: points.map(\.longitude))
        ]
        if let heartRate {
            series.append(
                SampleSeries(
                    type: .heartRate, start: start + clockError, offsets: offsets,
                    values: offsets.map { _ in heartRate }))
        }
        let sentAt = start + .milliseconds(Int64(seconds * 1000))
        return Ingestion.LiveSamples(
            accountID: account, deviceID: account, receivedAt: sentAt, sentAt: sentAt + clockError, series: series)
    }
}
