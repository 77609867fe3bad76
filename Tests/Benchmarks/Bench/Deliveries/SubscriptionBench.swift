import Contracts
import LoadGenerator
import Primitives
import Reactor
import Synchronization

/// From when an upload was to be sent to the bytes at the subscriber: 10,000 people whose subscriptions 20 third parties have,
/// each with one stream over all of them, and 2,000 uploads a second at fixed times.
enum SubscriptionBench {
    private static let (people, thirdParties) = (10_000, 20)
    private static let rate = 2000.0
    private static let (warmSeconds, seconds) = (8, 30)
    private static let connections = 256
    private static let drainMax = Duration.seconds(30)

    /// In two steps: until the event is made, and until it is here.
    fileprivate struct Steps: Sendable {
        var all = LatencyHistogram()
        var made = LatencyHistogram()
        var sent = LatencyHistogram()
    }

    static func run(_ report: inout Report) async throws {
        let (steps, load, times) = try await DeliveriesBed.with { bed in
            let (people, thirdParties) = (try await bed.people(people), try await bed.thirdParties(thirdParties))
            try await bed.firstUploads(people)
            let each = people.count / thirdParties.count
            _ = try await bed.accepted(
                .subscription(),
                thirdParties.enumerated().map { ($1, Array(people[$0 * each..<($0 + 1) * each])) })
            try await ServiceTimes.waitForQuiet(bed)
            let steps = Mutex(Steps())
            return try await SubscriberStreams.with(
                bed, of: thirdParties, { event in steps.withLock { $0.add(event) } }
            ) { streams in
                try await streams.wait("acceptances", within: .seconds(60)) { $0.outcomes >= people.count }
                _ = try await upload(people, seconds: warmSeconds, streams, bed)
                steps.withLock { $0 = Steps() }
                let before = try ServiceTimes(bed)
                let load = try await upload(people, seconds: seconds, streams, bed)
                let times = try ServiceTimes(bed).since(before)
                return (steps.withLock { $0 }, load, times)
            }
        }
        func text(_ latency: LatencyHistogram) -> String {
            "\(rounded(latency.percentile(0.5) / 1000)) / \(rounded(latency.percentile(0.99) / 1000)) ms"
        }
        report.note("\(load.good) uploads, \(rounded(load.rate)) /s, answered p50 / p99 \(text(load.latency))")
        report.note(
            "p50 / p99 \(text(steps.all)): until the event was made \(text(steps.made)), from there \(text(steps.sent))"
        )
        report.note(times)
        report.add(
            "upload sent to subscriber's bytes, \(people) subscriptions, \(Int(rate)) uploads/s, p99",
            steps.all.percentile(0.99) / 1000, "ms", atMost: 100)
    }

    /// Uploads at fixed times, and waits until all of it has come.
    private static func upload(
        _ people: [DeliveriesBed.Person], seconds: Int, _ streams: SubscriberStreams, _ bed: DeliveriesBed
    ) async throws -> LoadResult {
        let (rates, tokens) = (HeartRates(count: 1, every: 1000), try bed.deviceTokens(people))
        let before = streams.samples
        let begin = Mutex(Timestamp?.none)
        // Each sample was measured when its upload is due: by that its event tells what it took.
        let load = try await bed.load(
            .ingestion, connections: connections, .open(rate: rate), for: .requests(seconds * Int(rate)),
            wanted: rates.stored
        ) { number, now in
            let first = begin.withLock { begin in
                let first = begin ?? now
                begin = first
                return first
            }
            let due = first.adding(milliseconds: Int64(Double(number) / rate * 1000))
            return rates.upload(
                first.microseconds + Int64(number), from: Timestamp(milliseconds: due.milliseconds), sentAt: now,
                token: tokens[number % tokens.count])
        }
        try await streams.wait("uploads", within: drainMax) { $0.samples - before >= load.good }
        guard streams.samples - before == load.good else {
            throw BenchError.failed("\(load.good) uploads, \(streams.samples - before) samples")
        }
        return load
    }
}

extension SubscriptionBench.Steps {
    fileprivate mutating func add(_ event: SubscriberStreams.Delivered) {
        for time in event.measured {
            all.add(microseconds: (event.arrivedAt - time).microseconds)
            made.add(microseconds: (event.createdAt - time).microseconds)
            sent.add(microseconds: (event.arrivedAt - event.createdAt).microseconds)
        }
    }
}
