public import Primitives

/// Questions of people about their own data, in turn.
public final class GetSource: LoadSource {
    private let tokens: DeviceTokens
    private let people: [Int]
    private let paths: [[UInt8]]
    private let rest: [UInt8]
    private var turn = 0
    public let requestBytesMax: Int
    /// What a good answer holds in its first kilobytes.
    private let wanted: [UInt8]

    /// - `paths`: taken in turn, with their queries.
    public init(
        _ paths: [String], of people: [Int], tokens: DeviceTokens, host: String, wanted: String
    ) {
        precondition(!people.isEmpty && !paths.isEmpty, "nothing to ask")
        self.tokens = tokens
        self.people = people
        self.paths = paths.map { Array("GET \($0) HTTP/1.1\r\n".utf8) }
        self.wanted = Array(wanted.utf8)
        rest = Array("Host: \(host)\r\nAccept: application/json\r\nAuthorization: Bearer ".utf8)
        requestBytesMax = (self.paths.map(\.count).max() ?? 0) + rest.count + tokens.bytesEach + 4
    }

    public func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int {
        let path = paths[turn % paths.count]
        let token = try tokens.bytes(people[turn % people.count], at: now)
        turn += 1
        var end = target
        for part in [path, rest, Array(token), Array("\r\n\r\n".utf8)] {
            end.update(from: part, count: part.count)
            end += part.count
        }
        return end - target
    }

    public func isGood(_ body: UnsafeBufferPointer<UInt8>) -> Bool { body.position(of: wanted) != nil }
}
