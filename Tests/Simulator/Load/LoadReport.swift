import LoadGenerator

/// A load and what it cost, in lines for people.
struct LoadReport {
    let result: LoadResult
    private let processes: [(name: String, seconds: Double)]
    private let idleSeconds: Double

    /// Runs a load and looks at these processes before and after it.
    init(_ processes: [(name: String, id: Int32)], _ load: () throws -> LoadResult) throws {
        let before = try processes.map { try ProcessorTime(of: $0.id) }
        let idleBefore = ProcessorTime.idleSeconds()
        result = try load()
        idleSeconds = ProcessorTime.idleSeconds() - idleBefore
        self.processes = try zip(processes, before).map { ($0.name, try ProcessorTime(of: $0.id) - $1) }
    }

    var costLines: [String] {
        processes.map { name, seconds in
            "processor time of \(name): \(Self.rounded(seconds * 1e6 / Double(max(1, result.good)))) µs per upload"
        } + ["idle: \(Self.rounded(idleSeconds / result.seconds)) cores"]
    }

    var latencyLine: String {
        let shares = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)]
        return "latency: "
            + shares.map { "\($0) \(Self.rounded(result.latency.percentile($1) / 1000)) ms" }.joined(separator: ", ")
    }

    /// What did not go well, for the end of a line.
    static func refusals(_ result: LoadResult) -> String {
        var text = ""
        for (status, count) in result.refused.sorted(by: { $0.key < $1.key }) {
            text += ", \(count) refused with \(status)"
        }
        if result.broken > 0 { text += ", \(result.broken) lost with their connection" }
        if result.unsent > 0 { text += ", \(result.unsent) not sent in time" }
        return result.example.isEmpty ? text : text + "; the first refusal: \(result.example)"
    }

    /// Three significant digits.
    static func rounded(_ value: Double) -> String {
        var scale = 1.0
        while value * scale < 100, scale < 1e6, value > 0 { scale *= 10 }
        let text = (value * scale).rounded() / scale
        return text >= 100 ? "\(Int(text))" : "\(text)"
    }
}
