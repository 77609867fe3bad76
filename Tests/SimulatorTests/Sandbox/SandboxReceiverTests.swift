import HTTP
import JSON
import Reactor
import Testing

@testable import Simulator

@Suite("The sandbox's receiver of webhooks")
struct SandboxReceiverTests {
    private struct Answer: Decodable {
        struct Call: Decodable {
            let headers: [String: String]
            let body: String
        }
        let calls: [Call]
    }

    private func calls(_ path: String, of receiver: SandboxReceiver) async throws -> [Answer.Call] {
        let answer = await receiver.router.handle(try HTTPRequest(.get, path))
        guard case .bytes(let bytes) = answer.body else { return [] }
        return try JSONDecoder().decode(Answer.self, from: bytes).calls
    }

    @Test("what comes is shown by its name as it came, the newest hundred")
    func shows() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            try await loops.next().throwingTask {
                let receiver = SandboxReceiver()
                for number in 0..<101 {
                    let call = try HTTPRequest(
                        .post, number == 0 ? "/other" : "/hook",
                        fields: ["webhook-id": "\(number)", "webhook-signature": "v1,YQ=="],
                        body: Array("{\"n\":\(number) }".utf8))
                    #expect(await receiver.router.handle(call).status == .noContent)
                }
                let found = try await calls("/hook", of: receiver)
                #expect(found.count == 100)
                #expect(found.last?.body == "{\"n\":100 }")
                #expect(found.last?.headers == ["webhook-id": "100", "webhook-signature": "v1,YQ=="])
                #expect(try await calls("/other", of: receiver).isEmpty)
            }.value
        }
    }

    @Test("who waits gets a call as soon as it comes, and nothing at the end of the time")
    func waits() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            try await loops.next().throwingTask {
                let receiver = SandboxReceiver()
                #expect(try await calls("/hook?wait_ms=1", of: receiver).isEmpty)
                async let waiting = calls("/hook?wait_ms=25000", of: receiver)
                _ = await receiver.router.handle(try HTTPRequest(.post, "/hook", body: Array("{}".utf8)))
                #expect(try await waiting.map(\.body) == ["{}"])
                let refused = await receiver.router.handle(try HTTPRequest(.get, "/hook?wait_ms=25001"))
                #expect(refused.status == .unprocessableContent)
            }.value
        }
    }
}
