public import Primitives

/// The readers of the streams of one kind that are open in this process, by account. Bounded, of each account and of all.
public struct OpenStreams<Reader: AnyObject & Sendable>: Sendable {
    private let perAccountMax: Int
    private let allMax: Int
    private let tooMany: String
    private let full: String
    public private(set) var readers: [UUID: [Reader]] = [:]
    public private(set) var count = 0

    /// `tooMany` and `full` say to clients what there are too many of: of the account, and of all.
    public init(perAccountMax: Int, allMax: Int, tooMany: String, full: String) {
        (self.perAccountMax, self.allMax, self.tooMany, self.full) = (perAccountMax, allMax, tooMany, full)
    }

    /// Whether an account may open one more. Throws 429 `too-many-streams`, 503 `overloaded`.
    public func check(_ account: UUID) throws(Problem) {
        guard readers[account, default: []].count < perAccountMax else {
            throw Problem(.tooManyRequests, code: "too-many-streams", detail: tooMany, retryAfter: .seconds(5))
        }
        guard count < allMax else {
            throw Problem(.serviceUnavailable, code: "overloaded", detail: full, retryAfter: .seconds(30))
        }
    }

    /// Throws as `check`.
    public mutating func add(_ reader: Reader, of account: UUID) throws(Problem) {
        try check(account)
        readers[account, default: []].append(reader)
        count += 1
    }

    /// No effect on one that is not there.
    public mutating func remove(_ reader: Reader, of account: UUID) {
        guard var others = readers[account], let place = others.firstIndex(where: { $0 === reader }) else { return }
        others.remove(at: place)
        readers[account] = others.isEmpty ? nil : others
        count -= 1
    }
}
