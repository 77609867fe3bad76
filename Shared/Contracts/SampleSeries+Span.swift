public import Primitives

extension SampleSeries {
    /// The samples that begin within a span.
    public func measured(in span: Range<Timestamp>) -> SampleSeries {
        let kept = (0..<count).filter { span.contains(time($0)) }
        guard kept.count < count else { return self }
        func part<Value>(_ column: [Value]) -> [Value] { kept.map { column[$0] } }
        var series = self
        series.offsets = part(offsets)
        series.durations = durations.map(part)
        series.values = values.map(part)
        series.contact = contact.map(part)
        series.latitudes = latitudes.map(part)
        series.longitudes = longitudes.map(part)
        series.altitudes = altitudes.map(part)
        series.accuracies = accuracies.map(part)
        return series
    }
}
