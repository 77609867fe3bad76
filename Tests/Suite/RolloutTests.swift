import HTTP
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import Reactor
import Synchronization
import Testing

extension BadDays {
    @Suite struct RolloutTests {
        /// Where a proxy sends requests: the replicas that said they were ready when it last asked.
        private final class Balancer: Sendable {
            private let ready = Mutex<[ServiceProgram]>([])
            private let turn = Atomic<Int>(0)

            var next: ServiceProgram? {
                ready.withLock { ready in
                    guard !ready.isEmpty else { return nil }
                    return ready[(turn.wrappingAdd(1, ordering: .relaxed).oldValue & .max) % ready.count]
                }
            }

            /// Asks as often as proxies do.
            func look(at replicas: [ServiceProgram]) async throws {
                while !Task.isCancelled {
                    var found: [ServiceProgram] = []
                    for replica in replicas where (try? await replica.ask("/readyz").status) == .ok {
                        found.append(replica)
                    }
                    ready.withLock { $0 = found }
                    try await EventLoop.current?.sleep(for: .milliseconds(50))
                }
            }
        }

        /// What the clients got.
        private final class Tally: Sendable {
            private let state = Mutex<(answers: Int, lost: [String])>((0, []))

            var answers: Int { state.withLock { $0.answers } }
            var lost: [String] { state.withLock { $0.lost } }
            func answered() { state.withLock { $0.answers += 1 } }
            func lose(_ why: String) { state.withLock { $0.lost.append(why) } }
        }

        @Test(
            "NFR-03c NFR-10b: replicas are replaced one after the other under load: no connection is refused, no answer lost",
            .timeLimit(.minutes(5)))
        func rollout() async throws {
            try await ServiceSchemas.with { schemas, _ in
                try await TestDirectory.with { first in
                    try await TestDirectory.with { second in
                        let replicas = try [first, second].map {
                            try ServiceProgram(
                                "accounts", in: $0, database: .shared(), schemas: schemas, stopGraceSeconds: 2)
                        }
                        try await replicas[0].running {
                            try await replicas[0].waitUntilReady()
                            try await replicas[1].running {
                                try await replicas[1].waitUntilReady()
                                try await replace(replicas)
                            }
                        }
                    }
                }
            }
        }

        private func replace(_ replicas: [ServiceProgram]) async throws {
            let loop = try #require(EventLoop.current)
            let balancer = Balancer()
            let looking = loop.throwingTask { try await balancer.look(at: replicas) }
            let tally = Tally()
            let clients = (0..<8).map { _ in
                loop.throwingTask {
                    var configuration = HTTPClient.Configuration()
                    configuration.allowPrivateAddresses = true
                    let client = HTTPClient(on: loop, configuration: configuration)
                    defer { client.close() }
                    while !Task.isCancelled {
                        guard let replica = balancer.next,
                            let url = HTTPURL("http://127.0.0.1:\(replica.httpPort)/accounts/v1/terms")
                        else {
                            try await loop.sleep(for: .milliseconds(5))
                            continue
                        }
                        // Connections are kept from one request to the next, as a proxy does.
                        do throws(HTTPClientError) {
                            let answer = try await client.send(.init(.get, url), deadline: .after(.seconds(10)))
                            guard answer.status.rawValue < 500 else {
                                tally.lose("\(answer.status) \(answer.text)")
                                continue
                            }
                            tally.answered()
                        } catch {
                            if !Task.isCancelled { tally.lose("\(error)") }
                        }
                    }
                }
            }
            for replica in replicas {
                let before = tally.answers
                replica.terminate()
                #expect(try await replica.waitForEnd() == .exited(0))
                try await replica.start()
                try await replica.waitUntilReady()
                #expect(tally.answers > before + 100)
            }
            for client in clients { client.cancel() }
            for client in clients { _ = await client.result }
            looking.cancel()
            _ = await looking.result
            #expect(tally.lost.isEmpty, "\(tally.lost.count) of \(tally.answers): \(tally.lost.prefix(3))")
        }
    }
}
