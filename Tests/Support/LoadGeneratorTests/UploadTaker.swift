import Contracts
import HTTP
import JSON
import LoadGenerator
import Primitives
import Reactor
import Synchronization

struct TakenUpload: Decodable {
    let upload: Int64
    let sentAt: Timestamp
    let series: [SampleSeries]
}

/// Takes uploads and answers them as `answer` says by their number, from 0.
final class UploadTaker: Sendable {
    struct Taken {
        let token: String
        let upload: TakenUpload
    }

    /// A good one.
    struct Answer: Encodable {
        let stored: Int
        let repeated = false
        var refusedCount = 0
    }

    let taken = Mutex<[Taken]>([])
    typealias Answering = @Sendable (Int) async throws(Problem) -> HTTPResponse
    let answer: Answering

    init(_ answer: @escaping Answering) { self.answer = answer }

    func router() -> HTTPRouter {
        var router = HTTPRouter()
        router.on(.post, "/ingestion/v1/uploads") { (request) async throws(Problem) in
            let upload: TakenUpload = try request.json()
            let number = self.taken.withLock { taken in
                taken.append(Taken(token: request.bearerToken ?? "", upload: upload))
                return taken.count - 1
            }
            return try await self.answer(number)
        }
        return router
    }

    /// Runs `body` on a thread of its own against a server.
    func with<R: Sendable>(
        idle: Duration = .seconds(60), _ body: @escaping @Sendable (UInt16) throws -> R
    ) async throws -> R {
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.idle = idle
        let settings = configuration
        return try await EventLoopGroup.withLoops(1) { loops in
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: self.router(), configuration: settings,
                loops: loops)
            let port = server.port
            let outcome = try await BlockingPool.shared.run { Result { try body(port) } }
            await server.shutdown(grace: .seconds(2))
            return try outcome.get()
        }
    }
}
