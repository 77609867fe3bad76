public import Primitives
internal import Reactor

/// A producer's statement about a cursor: whoever has applied everything up to it has every event that was recorded
/// before `until`.
public struct FeedSettled: Sendable {
    /// By the producer's database. Events recorded before it (`FeedRecord.recordedAt`) are behind the cursor, also
    /// those of long transactions: while one is open, this stays before its begin.
    public let until: Timestamp
    /// The `age` at the time when this came to this process, and that time.
    private let ageAtReceipt: Duration
    private let receivedAt: Deadline

    /// `age` is the present one.
    public init(until: Timestamp, age: Duration) {
        self.until = until
        ageAtReceipt = max(.zero, age)
        receivedAt = .now()
    }

    /// How long ago the producer looked: everything that had been committed then is behind the cursor.
    public var age: Duration { ageAtReceipt + Deadline.now().since(receivedAt) }
}

/// On the wire the age is in milliseconds, as of writing this.
extension FeedSettled: Codable {
    private enum CodingKeys: String, CodingKey {
        case until
        case ageMilliseconds = "age_ms"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            until: try container.decode(Timestamp.self, forKey: .until),
            age: .milliseconds(try container.decode(Int64.self, forKey: .ageMilliseconds)))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(until, forKey: .until)
        try container.encode(age.wholeMilliseconds, forKey: .ageMilliseconds)
    }
}

extension Duration {
    /// Rounded up: an age is never told too young. At most some 290 million years.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(-.max / 1000, min(seconds, .max / 1000 - 1)) * 1000 + rest
    }
}
