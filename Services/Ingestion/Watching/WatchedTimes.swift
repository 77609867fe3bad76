import Contracts
import Primitives

/// The times of measuring of which a person's samples of some types are passed on live (`Ingestion.Watch`).
struct WatchedTimes: Sendable, Equatable {
    /// Whenever they were measured.
    let isAlways: Bool
    /// Ascending and disjoint; both ends are included.
    let spans: [ClosedRange<Timestamp>]

    /// Spans may overlap and be in any order; one that ends before it begins is ignored.
    init(isAlways: Bool = false, spans: [(from: Timestamp, to: Timestamp)] = []) {
        self.isAlways = isAlways
        var merged: [ClosedRange<Timestamp>] = []
        for (from, to) in spans.filter({ $0.from <= $0.to }).sorted(by: { $0.from < $1.from }) {
            if let last = merged.last, from <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, to)
            } else {
                merged.append(from...to)
            }
        }
        self.spans = merged
    }

    /// Those of these watches together.
    init(of watches: [Watches.Watch]) {
        self.init(isAlways: watches.contains { $0.measured == nil }, spans: watches.compactMap(\.measured))
    }

    /// The samples of a batch that were measured in these times, by their age when they were sent: the device's clock
    /// need not agree with any other. Those that are passed on whenever they were measured may be limited to an age
    /// (`ageMax`).
    func series(
        of batch: SampleBatch, types: Int64 = .max, sentAt: Timestamp, receivedAt: Timestamp, ageMax: Duration? = nil,
        samplesMax: Int = SampleSeries.samplesMax
    ) -> [SampleSeries] {
        guard !isAlways else {
            let from = ageMax.map { (sentAt - $0).millisecondsUp }
            return batch.series(types: types, from: from ?? .min, samplesMax: samplesMax)
        }
        let ahead = sentAt - receivedAt
        return spans.flatMap { span -> [SampleSeries] in
            guard span.lowerBound <= receivedAt else { return [] }
            // A sample from the future of its own device counts as measured when it was sent.
            let end = receivedAt <= span.upperBound ? Int64.max : (span.upperBound + ahead).milliseconds + 1
            return batch.series(
                types: types, from: (span.lowerBound + ahead).millisecondsUp, to: end, samplesMax: samplesMax)
        }
    }
}
