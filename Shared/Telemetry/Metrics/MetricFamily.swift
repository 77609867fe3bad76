import Synchronization

/// What the registry keeps of a metric.
protocol AnyMetricFamily: Sendable {
    var help: String { get }
    var labelNames: [String] { get }
    func write(into text: inout [UInt8]) async
}

/// All series of one metric, one per combination of label values. At most `seriesMax` of them: what comes later is
/// counted under `other`, so that nobody can fill the memory with invented labels.
public final class MetricFamily<Series: Sendable>: AnyMetricFamily {
    /// The value of every label of what does not fit.
    public static var overflow: String { "other" }

    let name: String
    let help: String
    let labelNames: [String]
    private let type: StaticString
    private let seriesMax: Int
    private let make: @Sendable () -> Series
    private let series = Mutex<[[String]: Series]>([:])

    init(
        _ name: String, _ help: String, labels: [String], type: StaticString, seriesMax: Int,
        make: @escaping @Sendable () -> Series
    ) {
        precondition(MetricText.isName(name) && labels.allSatisfy(MetricText.isName), "a metric's name: \(name)")
        self.name = name
        self.help = help
        labelNames = labels
        self.type = type
        self.seriesMax = seriesMax
        self.make = make
    }

    /// The series with these label values, in the order of the labels' names. On hot paths, keep what this returns.
    public subscript(_ values: String...) -> Series {
        precondition(values.count == labelNames.count, "\(name) has \(labelNames.count) labels")
        return series.withLock { series in
            if let known = series[values] { return known }
            let isFull = series.count >= seriesMax
            let key = isFull ? values.map { _ in Self.overflow } : values
            if isFull, let known = series[key] { return known }
            let new = make()
            series[key] = new
            return new
        }
    }

    func write(into text: inout [UInt8]) async {
        let all = series.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        guard !all.isEmpty else { return }
        MetricText.header(name, help, type, into: &text)
        for (values, series) in all {
            guard let series = series as? any MetricSeries else { continue }
            series.write(name, zip(labelNames, values).map { (name: $0, value: $1) }, into: &text)
        }
    }
}

/// A metric whose series are read when somebody asks.
final class ReadMetric: AnyMetricFamily {
    /// One series: the values of its labels, and its own.
    typealias Sample = (labels: [String], value: Double)

    let help: String
    let labelNames: [String]
    private let name: String
    private let type: StaticString
    private let read: @Sendable () async -> [Sample]

    init(
        _ name: String, _ help: String, labels: [String], type: StaticString,
        read: @escaping @Sendable () async -> [Sample]
    ) {
        precondition(MetricText.isName(name) && labels.allSatisfy(MetricText.isName), "a metric's name: \(name)")
        self.name = name
        self.help = help
        labelNames = labels
        self.type = type
        self.read = read
    }

    func write(into text: inout [UInt8]) async {
        let samples = await read()
        guard !samples.isEmpty else { return }
        MetricText.header(name, help, type, into: &text)
        for sample in samples {
            let labels = zip(labelNames, sample.labels).map { (name: $0, value: $1) }
            MetricText.sample(name, labels, sample.value, into: &text)
        }
    }
}
