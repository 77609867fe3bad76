/// A number that a person reads from one screen and types on another (ACC-14). Guessable in a million tries: its use
/// needs a short life and few attempts.
public struct SixDigitCode: Sendable, CustomStringConvertible {
    /// Six digits, with leading zeros.
    public let description: String

    /// Each of the million codes with the same probability.
    public static func random() -> SixDigitCode {
        var generator = SystemRandomNumberGenerator()
        return SixDigitCode(number: UInt32.random(in: 0..<1_000_000, using: &generator))
    }

    /// Six ASCII digits; anything else is `nil`.
    public init?(_ text: String) {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.init(digits: text)
    }

    /// Compares in constant time.
    public func matches(_ other: SixDigitCode) -> Bool {
        constantTimeEqual(Array(description.utf8), Array(other.description.utf8))
    }

    /// Of a number below a million.
    init(number: UInt32) {
        let digits = String(number)
        self.init(digits: String(repeating: "0", count: 6 - digits.count) + digits)
    }

    private init(digits: String) {
        description = digits
    }
}
