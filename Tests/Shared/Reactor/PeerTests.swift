import CLinux
import Glibc
import Synchronization
import Testing

@testable import Reactor

/// Peers that are slow, greedy, silent or gone.
@Suite struct PeerTests {
    @Test("NFR-03: an address that swallows packets does not keep the others from being reached")
    func blackHole() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            // A full backlog: the kernel drops what else wants to connect.
            let local = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
            let listener = try Socket.listen(at: local, backlog: 0)
            defer { close(listener) }
            let hole = try #require(Socket.address(listener, getsockname))
            var fillers: [Int32] = []
            defer { for filler in fillers { close(filler) } }
            for _ in 0..<4 {
                let filler = try Socket.make(AF_INET)
                _ = hole.withSockaddr { connect(filler, $0, $1) }
                fillers.append(filler)
            }
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 10)
            ) { _ in }
            let stream = try await ByteStream.connect(
                toFirstOf: [hole, server.address], serverName: "", deadline: .after(.seconds(5)))
            #expect(stream.peerAddress == server.address)
            stream.close()
            let refused = try #require(SocketAddress(numeric: "127.0.0.1", port: 1))
            let second = try await ByteStream.connect(
                toFirstOf: [refused, refused, server.address], serverName: "", deadline: .after(.seconds(5)))
            #expect(second.peerAddress == server.address)
            second.close()
            let began = Deadline.now()
            await #expect(throws: IOError.timedOut) {
                _ = try await ByteStream.connect(
                    toFirstOf: [hole, hole], serverName: "", deadline: .after(.milliseconds(40)))
            }
            #expect(Deadline.now().since(began) >= .milliseconds(40))
            await server.shutdown(grace: .zero)
        }
    }

    /// Reads as servers do: on an actor, where nothing between two reads gives way to others by itself.
    private actor Reader {
        private let stream: UncheckedBox<ByteStream>
        private nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(_ stream: UncheckedBox<ByteStream>) {
            loop = stream.value.loop
            self.stream = stream
        }

        /// How many of a job and a timer that were due before some reads came before their end.
        func othersBeforeEnd() async throws(IOError) -> Int {
            var buffer = ByteBuffer()
            try await stream.value.read(into: &buffer, max: 64)
            let (loop, others) = (loop, Others())
            loop.execute { others.count.withLock { $0 += 1 } }
            _ = loop.schedule(at: .now()) { others.count.withLock { $0 += 1 } }
            for _ in 0..<20 { try await stream.value.read(into: &buffer, max: 64) }
            return others.count.withLock { $0 }
        }
    }

    private final class Others: Sendable {
        let count = Mutex(0)
    }

    @Test("NFR-03: a peer that always has more to read does not keep the loop to itself")
    func greedy() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (left, right) = try ByteStream.pair(on: loops.loops[0])
            try await right.write([UInt8](repeating: 1, count: 10_000))
            #expect(try await Reader(UncheckedBox(left)).othersBeforeEnd() == 2)
            right.close()
        }
    }

    @Test("a write may take long as long as the peer takes something, and not when it takes nothing")
    func stall() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let (left, right) = try ByteStream.pair(on: loop)
            defer { left.close() }
            let reader = UncheckedBox(right)
            let reading = loop.task { () -> Int in
                var count = 0
                while count < 2_000_000 {
                    var buffer = ByteBuffer()
                    count += (try? await reader.value.read(into: &buffer, max: 32_768)) ?? 2_000_000
                    try? await loop.sleep(for: .milliseconds(8))
                }
                return count
            }
            let began = Deadline.now()
            try await left.write([UInt8](repeating: 1, count: 2_000_000), stallMax: .milliseconds(250))
            #expect(Deadline.now().since(began) > .milliseconds(250))
            #expect(await reading.value == 2_000_000)
            await #expect(throws: IOError.timedOut) {
                try await left.write([UInt8](repeating: 1, count: 2_000_000), stallMax: .milliseconds(20))
            }
        }
    }

    @Test("a peer that vanished is noticed as soon as the connection's owner asks for")
    func keepAlive() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let answered = Mutex<[Int32]>([])
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil,
                limits: .init(connectionsMax: 1, keepAlive: .prompt)
            ) { stream in
                answered.withLock { $0 = Self.options(stream.descriptor) }
                var buffer = ByteBuffer()
                _ = try? await stream.read(into: &buffer)
            }
            let stream = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: server.port), deadline: .after(.seconds(5)))
            #expect(Self.options(stream.descriptor) == [1, 60, 15, 4, 0])
            TCPKeepAlive.prompt.apply(to: stream.descriptor)
            #expect(Self.options(stream.descriptor) == [1, 2, 1, 3, 5000])
            stream.close()
            await server.shutdown(grace: .seconds(5))
            #expect(answered.withLock { $0 } == [1, 2, 1, 3, 5000])
        }
    }

    private static func options(_ descriptor: Int32) -> [Int32] {
        [
            (SOL_SOCKET, SO_KEEPALIVE), (Int32(IPPROTO_TCP), TCP_KEEPIDLE), (Int32(IPPROTO_TCP), TCP_KEEPINTVL),
            (Int32(IPPROTO_TCP), TCP_KEEPCNT), (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT),
        ].map { level, option in
            var value: Int32 = -1
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, level, option, &value, &length) == 0 ? value : -1
        }
    }

    @Test("a kept stream is quiet until something arrives, data or the end")
    func quiet() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            for isEnd in [true, false] {
                let (left, right) = try ByteStream.pair(on: loops.loops[0])
                #expect(left.isQuiet)
                try await right.write([1])
                var buffer = ByteBuffer()
                try await left.read(into: &buffer)
                #expect(left.isQuiet)
                if isEnd { right.close() } else { try await right.write([2]) }
                await loops.loops[0].nextTurn()
                await loops.loops[0].nextTurn()
                #expect(!left.isQuiet)
                left.close()
                #expect(!left.isQuiet)
            }
        }
    }

    @Test("a closed stream leaves no timer behind")
    func timers() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let before = loop.timers.count
            for _ in 0..<10 {
                let (left, right) = try ByteStream.pair(on: loop)
                for patience in [Duration.seconds(900), .seconds(75)] {
                    let stream = UncheckedBox(left)
                    let reading = loop.task {
                        var buffer = ByteBuffer()
                        _ = try? await stream.value.read(into: &buffer, deadline: .after(patience))
                    }
                    await loop.nextTurn()
                    reading.cancel()
                    await reading.value
                }
                left.close()
                right.close()
            }
            #expect(loop.timers.count == before)
        }
    }
}
