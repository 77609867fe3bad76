public import Primitives
internal import Reactor

/// What a producer promises about a cursor: whoever has applied everything up to it lacks nothing of what happened
/// before `until`.
public struct FeedSettled: Sendable {
    /// By the producer's database. Every event that was recorded before (`FeedRecord.recordedAt`) is behind the cursor,
    /// that of the longest transaction too: while one is open, this stays before its begin.
    public let until: Timestamp
    /// What `age` was when this came to this process, and when that was.
    private let ageAtReceipt: Duration
    private let receivedAt: Deadline

    /// `age` is what it is now.
    public init(until: Timestamp, age: Duration) {
        self.until = until
        ageAtReceipt = max(.zero, age)
        receivedAt = .now()
    }

    /// How long ago the producer looked: everything that had been committed then is behind the cursor.
    public var age: Duration { ageAtReceipt + Deadline.now().since(receivedAt) }
}

/// On the wire the age stands in milliseconds, as it is when this is written.
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
