import JSON
import RPC
import Reactor
import Telemetry

/// The methods of the JSON-RPC specification's examples.
enum Subtract: RPCMethod {
    /// By position or by name.
    struct Params: Codable, Sendable {
        let minuend: Int
        let subtrahend: Int

        init(minuend: Int, subtrahend: Int) {
            self.minuend = minuend
            self.subtrahend = subtrahend
        }

        private enum CodingKeys: CodingKey { case minuend, subtrahend }

        init(from decoder: any Decoder) throws {
            if var positions = try? decoder.unkeyedContainer() {
                minuend = try positions.decode(Int.self)
                subtrahend = try positions.decode(Int.self)
            } else {
                let names = try decoder.container(keyedBy: CodingKeys.self)
                minuend = try names.decode(Int.self, forKey: .minuend)
                subtrahend = try names.decode(Int.self, forKey: .subtrahend)
            }
        }
    }
    typealias Result = Int
    static let name = "subtract"
    static let isIdempotent = true
}

enum Sum: RPCMethod {
    typealias Params = [Int]
    typealias Result = Int
    static let name = "sum"
    static let isIdempotent = true
}

enum GetData: RPCMethod {
    typealias Params = Empty
    typealias Result = [JSONValue]
    static let name = "get_data"
    static let isIdempotent = true
}

/// `update`, `notify_hello` and `notify_sum`: called as notifications only.
enum Update: RPCMethod {
    typealias Params = [Int]
    typealias Result = Empty
    static let name = "update"
    static let isIdempotent = true
}

enum Echo: RPCMethod {
    struct Params: Codable, Sendable, Equatable {
        var text: String
    }
    typealias Result = Params
    static let name = "test.echo"
    static let isIdempotent = true
}

/// Answers when the test lets it.
enum Hold: RPCMethod {
    typealias Params = Empty
    typealias Result = Empty
    static let name = "test.hold"
    static let isIdempotent = true
}

/// As `Hold`, and declared to be a long poll.
enum Poll: RPCMethod {
    typealias Params = Empty
    typealias Result = Empty
    static let name = "test.poll"
    static let isIdempotent = true
    static func isLongPoll(_: Params) -> Bool { true }
}

/// As `Hold`, but not idempotent.
enum HoldOnce: RPCMethod {
    typealias Params = Empty
    typealias Result = Empty
    static let name = "test.hold_once"
    static let isIdempotent = false
}

/// Fails in the way that is asked for.
enum Fail: RPCMethod {
    struct Params: Codable, Sendable {
        var kind: String
    }
    typealias Result = Empty
    static let name = "test.fail"
    static let isIdempotent = true
}

/// What the handler was told, and finds in its scope.
enum Describe: RPCMethod {
    typealias Params = Empty
    struct Result: Codable, Sendable {
        let caller: String
        let remainingMilliseconds: Int64
        let trace: String
    }
    static let name = "test.describe"
    static let isIdempotent = true
}

/// A method that only `query` may call.
enum Guarded: RPCMethod {
    typealias Params = Empty
    typealias Result = Empty
    static let name = "test.guarded"
    static let isIdempotent = true
}

struct UnexpectedFailure: Error, CustomStringConvertible {
    let description = "the database password is swordfish"
}

/// Handlers that tests steer and watch.
final class TestService: Sendable {
    /// Raised by `Hold` when it begins.
    let began = EventCounter()
    /// Lets all `Hold` calls answer.
    let release = EventCounter()
    /// Raised when a `Hold` was cancelled.
    let cancelled = EventCounter()

    /// With all methods, for the clients `ingestion` and `track4run`; `Guarded` for `query` only.
    var router: RPCRouter {
        let everybody: Set<String> = ["ingestion", "track4run", "query"]
        var router = RPCRouter()
        router.register(Subtract.self, allow: everybody) { params, _ in params.minuend - params.subtrahend }
        router.register(Sum.self, allow: everybody) { params, _ in params.reduce(0, +) }
        router.register(GetData.self, allow: everybody) { _, _ in [.string("hello"), .integer(5)] }
        router.register(Update.self, allow: everybody) { _, _ in Empty() }
        router.register(Echo.self, allow: everybody) { params, _ in params }
        router.register(Hold.self, allow: everybody) { _, _ in try await self.hold() }
        router.register(HoldOnce.self, allow: everybody) { _, _ in try await self.hold() }
        router.register(Poll.self, allow: everybody) { _, _ in try await self.hold() }
        router.register(Fail.self, allow: everybody) { params, _ in
            switch params.kind {
            case "gone": throw RPCError(.gone, "Too old.", domain: "feed.gone")
            case "overloaded": throw RPCError(.overloaded)
            default: throw UnexpectedFailure()
            }
        }
        router.register(Describe.self, allow: everybody) { _, context in
            Describe.Result(
                caller: context.caller,
                remainingMilliseconds: context.deadline.remaining.components.seconds * 1000
                    + context.deadline.remaining.components.attoseconds / 1_000_000_000_000_000,
                trace: RequestScope.current.map { $0.trace == context.trace ? "\($0.trace)" : "another" } ?? "none")
        }
        router.register(Guarded.self, allow: ["query"]) { _, _ in Empty() }
        return router
    }

    private func hold() async throws -> Empty {
        began.raise()
        _ = await release.wait(after: 0)
        guard release.value > 0 else {
            cancelled.raise()
            throw CancellationError()
        }
        return Empty()
    }
}
