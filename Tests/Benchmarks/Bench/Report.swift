import Glibc

/// The lines that the benchmarks print: figure, baseline of the same run, ratio, bar.
struct Report {
    enum Bar {
        case atMost(Double)
        case atLeast(Double)

        func holds(_ ratio: Double) -> Bool {
            switch self {
            case .atMost(let limit): ratio <= limit
            case .atLeast(let limit): ratio >= limit
            }
        }

        var text: String {
            switch self {
            case .atMost(let limit): "≤ \(limit)×"
            case .atLeast(let limit): "≥ \(limit)×"
            }
        }
    }

    private(set) var shortfalls = 0

    /// One measure. The figures are in `unit`.
    mutating func add(
        _ measure: String, _ figure: Double, against name: String, _ baseline: Double, _ unit: String, _ bar: Bar
    ) {
        let ratio = figure / baseline
        let isMet = bar.holds(ratio)
        if !isMet { shortfalls += 1 }
        emit(
            "\(isMet ? "ok  " : "FAIL")  \(measure): \(rounded(figure)) \(unit); \(name): \(rounded(baseline)) \(unit); "
                + "ratio \(rounded(ratio)), bar \(bar.text)")
    }

    /// A measure against a fixed figure.
    mutating func add(_ measure: String, _ figure: Double, _ unit: String, atMost limit: Double) {
        let isMet = figure <= limit
        if !isMet { shortfalls += 1 }
        emit("\(isMet ? "ok  " : "FAIL")  \(measure): \(rounded(figure)) \(unit); bar ≤ \(rounded(limit)) \(unit)")
    }

    /// A measure of which more is better, against a fixed figure.
    mutating func add(_ measure: String, _ figure: Double, _ unit: String, atLeast limit: Double) {
        let isMet = figure >= limit
        if !isMet { shortfalls += 1 }
        emit("\(isMet ? "ok  " : "FAIL")  \(measure): \(rounded(figure)) \(unit); bar ≥ \(rounded(limit)) \(unit)")
    }

    func note(_ text: String) { emit("      \(text)") }
}

/// Three significant digits.
func rounded(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "\(value)" }
    let digits = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
    let scale = pow(10, Double(digits))
    let text = (value * scale).rounded() / scale
    return digits == 0 ? "\(Int(text))" : "\(text)"
}

func emit(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

/// The value below which `share` of the sorted values lie.
func percentile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}
