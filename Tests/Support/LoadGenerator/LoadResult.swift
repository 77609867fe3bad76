/// What came of a load.
public struct LoadResult: Sendable {
    /// Requests with a good answer.
    public internal(set) var good = 0
    /// Answers that were not good, by status; 200 for those that were not what was expected.
    public internal(set) var refused: [Int: Int] = [:]
    /// Connections that broke while an answer was outstanding.
    public internal(set) var broken = 0
    /// Requests that could not be sent before the end, since all connections were busy.
    public internal(set) var unsent = 0
    /// Of good answers, from when the request was to be sent to the answer's last byte.
    public internal(set) var latency = LatencyHistogram()
    /// The same to the answer's first byte.
    public internal(set) var firstByte = LatencyHistogram()
    /// When its first request was due, on the monotonic clock of this machine in nanoseconds. In an open loop the request with the
    /// number n, from 0, was due n intervals later; 0 of several loads.
    public internal(set) var beganAt: Int64 = 0
    /// How long it went on, in seconds.
    public internal(set) var seconds = 0.0
    /// The beginning of the first refusal's body, for people.
    public internal(set) var example = ""

    init() {}

    /// Of several loads, one after the other.
    public init(_ results: [LoadResult]) {
        for one in results {
            good += one.good
            refused.merge(one.refused, uniquingKeysWith: +)
            broken += one.broken
            unsent += one.unsent
            latency.add(one.latency)
            firstByte.add(one.firstByte)
            seconds += one.seconds
            if example.isEmpty { example = one.example }
        }
    }

    public var refusedCount: Int { refused.values.reduce(0, +) }
    public var rate: Double { Double(good) / seconds }
}
