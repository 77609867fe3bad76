import Contracts
import Domain
import JSON
import Primitives

/// Something that happened for a third party: the outcome of one of its requests, its payment, data of an accepted one, or that there
/// is none any more. A third party's events have numbers in one order, and reach it by cursor, stream, webhook and mail (SUB-02).
struct Event: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case accepted = "request.accepted"
        case refused = "request.refused"
        case lapsed = "request.lapsed"
        case withdrawn = "request.withdrawn"
        case ended = "request.ended"
        /// An accepted request has to be paid: the invoice says how much (PAY-01).
        case paymentDue = "payment.due"
        case paymentPaid = "payment.paid"
        /// Samples as they were measured.
        case samples = "data.samples"
        /// Sums of the granularity that was asked for.
        case sums = "data.sums"
        /// Nothing comes of some of the accepted types any more (SUB-04); and it may again.
        case unavailable = "data.unavailable"
        case available = "data.available"

        /// The outcome that a request's state is; `nil` while there is none.
        init?(_ state: ConsentRequest.State) {
            switch state {
            case .pending: return nil
            case .accepted: self = .accepted
            case .refused: self = .refused
            case .lapsed: self = .lapsed
            case .withdrawn: self = .withdrawn
            case .ended: self = .ended
            }
        }

        /// Whether it holds data of the person, which leaves only while the consent holds.
        var isData: Bool { self == .samples || self == .sums }

        var isPayment: Bool { self == .paymentDue || self == .paymentPaid }

        /// Whether it names data types.
        fileprivate var namesTypes: Bool {
            switch self {
            case .accepted, .samples, .sums, .unavailable, .available: true
            default: false
            }
        }
    }

    let requester: UUID
    /// From 1, in the order in which they happened.
    let number: Int64
    /// The same whenever and however the event is sent, so that a repeat can be recognised.
    let id: UUID
    let request: UUID
    let kind: Kind
    /// Of an acceptance those accepted; of data those in it; of what is not available, or again, those.
    let types: [DataType]
    let data: Content?
    /// Whether `data` is not all that the event holds.
    var isPart = false
    let createdAt: Timestamp

    /// What of it was measured within a span; `nil` when nothing was.
    func part(measuredIn span: Range<Timestamp>?) throws -> Event? {
        guard let data, let span, !(span.contains(data.measured.lowerBound) && span.contains(data.measured.upperBound))
        else { return self }
        guard let part = try kind == .sums ? data.sums(in: span) : data.samples(in: span) else { return nil }
        return Event(
            requester: requester, number: number, id: id, request: request, kind: kind, types: part.types, data: part,
            isPart: true, createdAt: createdAt)
    }

    /// What an event with data holds.
    struct Content: Sendable {
        /// Samples by type.
        let counts: [DataType: Int]
        /// When the first of them began and the last.
        let measured: ClosedRange<Timestamp>
        /// The JSON of the series, or of the sums.
        let series: JSONRaw

        /// `nil` of no samples.
        init?(_ series: [SampleSeries]) throws(JSONError) {
            var counts: [DataType: Int] = [:]
            var (first, last): (Timestamp?, Timestamp?)
            for one in series {
                counts[one.type, default: 0] += one.count
                for index in 0..<one.count {
                    let time = one.time(index)
                    first = min(first ?? time, time)
                    last = max(last ?? time, time)
                }
            }
            guard let first, let last else { return nil }
            self.counts = counts
            measured = first...last
            self.series = try JSONRaw(encoding: series)
        }

        /// `nil` of no sums. Those of a span without any value are measured in all of it.
        init?(sums: [Sums]) throws(JSONError) {
            guard let first = sums.map({ $0.buckets.map(\.start).min() ?? $0.from }).min(),
                let last = sums.map({ $0.buckets.map(\.end).max() ?? $0.to }).max()
            else { return nil }
            counts = Dictionary(
                sums.map { ($0.type, $0.buckets.reduce(0) { $0 + $1.count }) }, uniquingKeysWith: +)
            measured = first...last
            series = try JSONRaw(encoding: sums)
        }

        init(counts: [DataType: Int], measured: ClosedRange<Timestamp>, series: JSONRaw) {
            self.counts = counts
            self.measured = measured
            self.series = series
        }

        fileprivate func samples(in span: Range<Timestamp>) throws(JSONError) -> Content? {
            let series = try JSONDecoder().decode([SampleSeries].self, from: series.bytes)
            return try Content(series.map { $0.measured(in: span) }.filter { $0.count > 0 })
        }

        fileprivate func sums(in span: Range<Timestamp>) throws(JSONError) -> Content? {
            let sums = try JSONDecoder().decode([Sums].self, from: series.bytes).compactMap { sums -> Sums? in
                var part = sums
                part.from = max(sums.from, span.lowerBound)
                part.to = min(sums.to, span.upperBound)
                part.buckets = sums.buckets.filter { $0.start >= part.from && $0.end <= part.to }
                return part.buckets.isEmpty && !(sums.buckets.isEmpty && part.from < part.to) ? nil : part
            }
            return try Content(sums: sums)
        }

        /// Each series, or sums of each type, by themselves.
        func parts() throws(JSONError) -> [JSONRaw] { try JSONDecoder().decode([JSONRaw].self, from: series.bytes) }

        /// In the order of their numbers.
        var types: [DataType] { counts.keys.sorted { $0.rawValue < $1.rawValue } }
    }
}

extension Event: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, type, requestID, createdAt, dataTypes, series, sums
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind.rawValue, forKey: .type)
        try container.encode(request, forKey: .requestID)
        try container.encode(createdAt, forKey: .createdAt)
        if kind.namesTypes { try container.encode(types, forKey: .dataTypes) }
        try container.encodeIfPresent(data?.series, forKey: kind == .sums ? .sums : .series)
    }
}
