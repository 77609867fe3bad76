import Synchronization

/// The metrics of one process, for Prometheus. A name is registered once; who registers it again, in the same way, gets
/// the same metric.
public final class Metrics: Sendable {
    public static let seriesMaxDefault = 1000

    private let families = Mutex<[String: any AnyMetricFamily]>([:])

    public init() {}

    // MARK: Registering

    public func counter(_ name: String, _ help: String) -> Counter { counters(name, help, labels: [])[] }

    public func counters(
        _ name: String, _ help: String, labels: [String], seriesMax: Int = seriesMaxDefault
    ) -> MetricFamily<Counter> {
        family(name, help, labels, "counter", seriesMax) { Counter() }
    }

    public func gauge(_ name: String, _ help: String) -> Gauge { gauges(name, help, labels: [])[] }

    public func gauges(
        _ name: String, _ help: String, labels: [String], seriesMax: Int = seriesMaxDefault
    ) -> MetricFamily<Gauge> {
        family(name, help, labels, "gauge", seriesMax) { Gauge() }
    }

    public func histogram(
        _ name: String, _ help: String, buckets: [Double] = Histogram.secondsBuckets
    ) -> Histogram {
        histograms(name, help, labels: [], buckets: buckets)[]
    }

    /// - Precondition: `buckets` are ascending upper bounds.
    public func histograms(
        _ name: String, _ help: String, labels: [String], buckets: [Double] = Histogram.secondsBuckets,
        seriesMax: Int = 200
    ) -> MetricFamily<Histogram> {
        precondition(zip(buckets, buckets.dropFirst()).allSatisfy { $0 < $1 }, "buckets ascend")
        return family(name, help, labels, "histogram", seriesMax) { Histogram(bounds: buckets) }
    }

    /// A gauge that is read when somebody asks for the metrics; `nil` leaves it out. A later `read` replaces an earlier
    /// one. It should answer at once: all of them are read one after the other.
    public func gauge(_ name: String, _ help: String, read: @escaping @Sendable () async -> Double?) {
        register(name, ReadMetric(name, help, labels: [], type: "gauge") { await read().map { [([], $0)] } ?? [] })
    }

    /// As `gauge(_:_:read:)`, with a series for each combination of the labels' values that `read` gives.
    public func gauges(
        _ name: String, _ help: String, labels: [String],
        read: @escaping @Sendable () async -> [(labels: [String], value: Double)]
    ) {
        register(name, ReadMetric(name, help, labels: labels, type: "gauge", read: read))
    }

    /// As `gauge(_:_:read:)`, for a number that only grows.
    public func counter(_ name: String, _ help: String, read: @escaping @Sendable () async -> Double?) {
        register(name, ReadMetric(name, help, labels: [], type: "counter") { await read().map { [([], $0)] } ?? [] })
    }

    private func register(_ name: String, _ metric: ReadMetric) { families.withLock { $0[name] = metric } }

    private func family<Series: Sendable>(
        _ name: String, _ help: String, _ labels: [String], _ type: StaticString, _ seriesMax: Int,
        _ make: @escaping @Sendable () -> Series
    ) -> MetricFamily<Series> {
        families.withLock { families in
            if let known = families[name] {
                guard let family = known as? MetricFamily<Series>, family.labelNames == labels else {
                    preconditionFailure("\(name) is registered in another way")
                }
                return family
            }
            let family = MetricFamily(name, help, labels: labels, type: type, seriesMax: seriesMax, make: make)
            families[name] = family
            return family
        }
    }

    // MARK: Reading

    /// Everything in Prometheus' text format, version 0.0.4, sorted by name.
    public func text() async -> [UInt8] {
        let all = families.withLock { $0 }.sorted { $0.key < $1.key }
        var text: [UInt8] = []
        for (_, family) in all { await family.write(into: &text) }
        return text
    }
}
