import Edge
import HTTP
import LoadGenerator
import Primitives
import RPC
import Reactor
import Security

/// The check of an access token as every service makes it, of one that it has seen and of one that it has not, against the
/// verification of one signature. In turn, in pieces of some milliseconds.
enum TokensBench {
    private static let count = 20_000
    private static let piece = 100

    private struct Keys: KeySource {
        let set: JSONWebKeySet
        func keys() async throws(RPCError) -> JSONWebKeySet { set }
        func keysAnew() async throws(RPCError) -> JSONWebKeySet { set }
    }

    static func run(_ report: inout Report) async throws {
        let loops = try EventLoopGroup(count: 1)
        defer { loops.shutdown() }
        let key = Ed25519Key.random()
        let figures = try await loops.loops[0].throwingTask { try await measure(key) }.value
        let (signature, first, again) = (
            percentile(figures.signature.sorted(), 0.5), percentile(figures.first.sorted(), 0.5),
            percentile(figures.again.sorted(), 0.5)
        )
        report.add(
            "check of a token seen before", again, against: "verification of a signature", signature, "µs", .atMost(0.1)
        )
        report.add(
            "check of a token for the first time", first, against: "verification of a signature", signature, "µs",
            .atMost(1.5))
    }

    /// µs each, by piece.
    private struct Figures: Sendable {
        var signature: [Double] = []
        var first: [Double] = []
        var again: [Double] = []
    }

    private static func measure(_ key: Ed25519Key) async throws -> Figures {
        let tokens = try AccessTokens(key: key)
        let made = try (0..<count).map { _ in
            try tokens.owner(.individual, of: .random(), session: .random())
        }
        let messages = try made.map { token -> (message: [UInt8], signature: [UInt8]) in
            let parts = token.split(separator: ".")
            guard parts.count == 3, let signature = Base64.url.decode(parts[2]) else {
                throw BenchError.failed("not a token")
            }
            return (Array("\(parts[0]).\(parts[1])".utf8), signature)
        }
        let revocations = Revocations()
        revocations.heard()
        let authenticator = Authenticator(
            keys: Keys(set: JSONWebKeySet([key.publicKey])), revocations: revocations)
        var figures = Figures()
        for first in stride(from: 0, to: count, by: piece) {
            let range = first..<first + piece
            var start = Deadline.now()
            for message in messages[range] where !key.publicKey.isValid(message.signature, for: message.message) {
                throw BenchError.failed("a signature is not valid")
            }
            figures.signature.append(each(since: start))
            for isFirst in [true, false] {
                start = Deadline.now()
                for token in made[range] { _ = try await authenticator.identity(of: token) }
                if isFirst {
                    figures.first.append(each(since: start))
                } else {
                    figures.again.append(each(since: start))
                }
            }
        }
        return figures
    }

    private static func each(since start: Deadline) -> Double { seconds(since: start) * 1e6 / Double(piece) }
}
