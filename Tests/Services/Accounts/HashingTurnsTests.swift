import Reactor
import Synchronization
import Testing

@testable import Accounts

@Suite struct HashingTurnsTests {
    private func client(_ host: String, isKnown: Bool = false) -> HashingTurns.Client {
        HashingTurns.Client(SocketAddress(numeric: host, port: 1), isKnown: isKnown)
    }

    /// Holds the only turn, lets `clients` come one after the other, and gives the turn back. In which order they had theirs;
    /// those who were sent away are missing.
    private func order(_ clients: [(name: String, client: HashingTurns.Client)]) async throws -> [String] {
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let turns = HashingTurns(runningMax: 1)
            let order = Mutex<[String]>([])
            let (begun, ended) = (EventCounter(), EventCounter())
            let sentAway = Mutex(0)
            let holder = loop.throwingTask {
                try await turns.run(HashingTurns.Client(nil, isKnown: false)) { () async throws(IOError) in
                    begun.raise()
                    _ = await ended.wait(after: 0)
                }
            }
            _ = await begun.wait(after: 0)
            var tasks: [Task<Void, any Error>] = []
            for (index, (name, client)) in clients.enumerated() {
                tasks.append(
                    loop.throwingTask {
                        do {
                            try await turns.run(client) { () async throws(IOError) in
                                order.withLock { $0.append(name) }
                            }
                        } catch IOError.limit { sentAway.withLock { $0 += 1 } }
                    })
                // Each is in the queue, or was sent away (or somebody else for it), before the next one comes.
                while turns.waiting + sentAway.withLock({ $0 }) < index + 1 {
                    try await loop.sleep(for: .milliseconds(1))
                }
            }
            ended.raise()
            try await holder.value
            for task in tasks { try await task.value }
            #expect(turns.waiting == 0)
            return order.withLock { $0 }
        }
    }

    @Test("ACC-07 NFR-03: Clients have turns by site: who sends many log-ins waits for itself")
    func turns() async throws {
        let flood = (0..<10).map { (name: "flood", client: client("203.0.113.\($0)")) }
        let order = try await order(flood + [("other", client("198.51.100.1")), ("third", client("2001:db8::1"))])
        #expect(order.firstIndex(of: "other") == 1 && order.firstIndex(of: "third") == 2)
        #expect(order.count == 12)
    }

    @Test("ACC-07 NFR-03: When the queue is full, those go of whom most wait, and newcomers stay")
    func full() async throws {
        let flood = (0..<HashingTurns.waitingMax + 20).map { _ in (name: "flood", client: client("203.0.113.1")) }
        let others = (0..<5).map { (name: "other", client: client("198.51.\($0).1")) }
        let order = try await order(flood + others)
        #expect(order.count == HashingTurns.waitingMax)
        #expect(order.count { $0 == "other" } == 5 && order.prefix(6).count { $0 == "other" } == 5)
    }

    @Test("ACC-07 NFR-03: Sites that together fill the queue do not keep out clients that are known")
    func known() async throws {
        let flood = (0..<HashingTurns.waitingMax).map { (name: "flood", client: client("203.\($0).113.1")) }
        let order = try await order(
            flood + [("late", client("198.51.100.1"))]
                + (0..<4).map { (name: "known", client: client("192.0.2.\($0)", isKnown: true)) })
        #expect(!order.contains("late"))
        // Three times out of four.
        #expect(order.prefix(5) == ["known", "known", "known", "flood", "known"])
        #expect(order.count == HashingTurns.waitingMax + 4)
    }

    @Test("A client that goes away leaves its place, and the turn goes on")
    func cancelled() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let turns = HashingTurns(runningMax: 1)
            let ended = EventCounter()
            let gone = client("203.0.113.1")
            let holder = loop.throwingTask {
                try await turns.run(gone) { () async throws(IOError) in _ = await ended.wait(after: 0) }
            }
            while turns.waiting == 0 {
                let task = loop.throwingTask { try await turns.run(gone) { () async throws(IOError) in } }
                while turns.waiting == 0 { try await loop.sleep(for: .milliseconds(1)) }
                task.cancel()
                await #expect(throws: IOError.cancelled) { try await task.value }
                break
            }
            #expect(turns.waiting == 0)
            ended.raise()
            try await holder.value
            try await turns.run(gone) { () async throws(IOError) in }
        }
    }
}
