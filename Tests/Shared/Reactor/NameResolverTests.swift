import Glibc
import Synchronization
import Testing

@testable import Reactor

@Suite struct NameResolverTests {
    /// A resolver whose look-ups of `slow…` end when the test lets them.
    private final class Fixture: Sendable {
        let names = Mutex<[String]>([])
        let began = EventCounter()
        private let isOpen = Atomic(false)
        let pool: BlockingPool

        init(threads: Int) throws { pool = try BlockingPool(threads: threads, queueMax: 8) }

        var resolver: NameResolver {
            NameResolver(pool) { [self] host in
                names.withLock { $0.append(host) }
                began.raise()
                while host.hasPrefix("slow"), !isOpen.load(ordering: .acquiring) { sched_yield() }
                return .success([SocketAddress(family: .ipv4, bytes: [192, 0, 2, 1], port: 0)])
            }
        }

        func open() { isOpen.store(true, ordering: .releasing) }
    }

    @Test("NFR-03: a look-up that takes too long ends at the deadline or with its task, and holds up no other name")
    func slow() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let fixture = try Fixture(threads: 2)
            let resolver = fixture.resolver
            await #expect(throws: IOError.timedOut) {
                try await resolver.addresses(of: "slow", deadline: .after(.milliseconds(10)))
            }
            let task = loops.loops[0].throwingTask { try await resolver.addresses(of: "slow", deadline: .never) }
            task.cancel()
            await #expect(throws: IOError.cancelled) { try await task.value }
            #expect(try await resolver.addresses(of: "quick", deadline: .after(.seconds(5))).first?.host == "192.0.2.1")
            #expect(fixture.names.withLock { $0 } == ["slow", "quick"])
            fixture.open()
            fixture.pool.shutdown()
        }
    }

    @Test("look-ups of one name at the same time are one; afterwards it is looked up anew")
    func joined() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let fixture = try Fixture(threads: 4)
            let resolver = fixture.resolver
            let asking = (0..<6).map { index in
                loops.loops[index % 2].throwingTask {
                    try await resolver.addresses(of: "slow", deadline: .after(.seconds(5)))
                }
            }
            _ = await fixture.began.wait(after: 0, deadline: .after(.seconds(5)))
            for loop in loops.loops { await loop.task {}.value }
            #expect(fixture.names.withLock { $0 } == ["slow"])
            fixture.open()
            for task in asking { #expect(try await task.value.count == 1) }
            _ = try await resolver.addresses(of: "slow", deadline: .after(.seconds(5)))
            #expect(fixture.names.withLock { $0.count } == 2)
            fixture.pool.shutdown()
        }
    }

    @Test("a look-up that nobody waits for any more when its turn comes is not made")
    func abandoned() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let fixture = try Fixture(threads: 1)
            let resolver = fixture.resolver
            let first = loops.loops[0].throwingTask {
                try await resolver.addresses(of: "slow", deadline: .after(.seconds(5)))
            }
            _ = await fixture.began.wait(after: 0, deadline: .after(.seconds(5)))
            await #expect(throws: IOError.timedOut) {
                try await resolver.addresses(of: "left", deadline: .after(.milliseconds(5)))
            }
            fixture.open()
            _ = try await first.value
            _ = try await resolver.addresses(of: "last", deadline: .after(.seconds(5)))
            #expect(fixture.names.withLock { $0 } == ["slow", "last"])
            fixture.pool.shutdown()
        }
    }
}
