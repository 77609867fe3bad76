import CLinux
import Glibc
import Primitives
import Testing

@testable import Reactor

@Suite struct ByteStreamTests {
    @Test("an echo over loopback TCP comes back whole, also when it is larger than the socket's buffers")
    func echo() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 10)
            ) { stream in
                var buffer = ByteBuffer()
                while let count = try? await stream.read(into: &buffer), count > 0 {
                    guard (try? await stream.write(&buffer)) != nil else { return }
                }
            }
            let stream = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: server.port), deadline: .after(.seconds(5)))
            let message = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
            var received = ByteBuffer()
            for start in stride(from: 0, to: message.count, by: 50_000) {
                try await stream.write(Array(message[start..<start + 50_000]), deadline: .after(.seconds(5)))
                while received.count < start + 50_000 {
                    let count = try await stream.read(into: &received, deadline: .after(.seconds(5)))
                    #expect(count > 0)
                }
            }
            let echoed = received.take(received.count)
            #expect(echoed == message)
            stream.close()
            await server.shutdown(grace: .seconds(5))
            #expect(server.connectionCount == 0)
        }
    }

    @Test("the end of the peer's side reads as 0, and this side can still write")
    func halfClose() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (left, right) = try ByteStream.pair(on: loops.loops[0])
            try left.finishWriting()
            var buffer = ByteBuffer()
            #expect(try await right.read(into: &buffer) == 0)
            try await right.write([1, 2, 3])
            #expect(try await left.read(into: &buffer) == 3)
        }
    }

    @Test("a read gives up at its deadline and the stream stays usable")
    func deadline() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (left, right) = try ByteStream.pair(on: loops.loops[0])
            var buffer = ByteBuffer()
            await #expect(throws: IOError.timedOut) {
                try await left.read(into: &buffer, deadline: .after(.milliseconds(5)))
            }
            try await right.write([7])
            #expect(try await left.read(into: &buffer, deadline: .after(.seconds(5))) == 1)
        }
    }

    @Test("cancelling works before and after the wait begins")
    func cancellation() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            for isEarly in [true, false] {
                let waiting = EventCounter()
                let task = loops.loops[0].task { () -> IOError? in
                    do throws(IOError) {
                        let (left, _right) = try ByteStream.pair(on: loops.loops[0])
                        var buffer = ByteBuffer()
                        if isEarly { withUnsafeCurrentTask { $0?.cancel() } } else { waiting.raise() }
                        try await left.read(into: &buffer)
                        _right.close()
                        return nil
                    } catch { return error }
                }
                if !isEarly {
                    _ = await waiting.wait(after: 0)
                    task.cancel()
                }
                #expect(await task.value == .cancelled)
            }
        }
    }

    @Test("closing wakes the reader")
    func closeWakes() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (left, right) = try ByteStream.pair(on: loops.loops[0])
            defer { right.close() }
            let timer = loops.loops[0].schedule(at: .after(.milliseconds(1))) { [watch = UncheckedBox(left)] in
                watch.value.close()
            }
            _ = timer
            var buffer = ByteBuffer()
            await #expect(throws: IOError.closed) { try await left.read(into: &buffer) }
        }
    }

    @Test("a refused connection is an error that names the address")
    func refused() async throws {
        try await EventLoopGroup.withLoops(1) { _ in
            await #expect(throws: IOError.system(operation: "connect 127.0.0.1:1", errno: ECONNREFUSED)) {
                _ = try await ByteStream.connect(
                    to: Endpoint(host: "127.0.0.1", port: 1), deadline: .after(.seconds(5)))
            }
        }
    }

    @Test("connections beyond the limit get the refusal and are closed")
    func connectionLimit() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil,
                limits: .init(connectionsMax: 1, refusal: Array("full".utf8))
            ) { stream in
                var buffer = ByteBuffer()
                _ = try? await stream.read(into: &buffer)
            }
            let endpoint = Endpoint(host: "127.0.0.1", port: server.port)
            let first = try await ByteStream.connect(to: endpoint, deadline: .after(.seconds(5)))
            let second = try await ByteStream.connect(to: endpoint, deadline: .after(.seconds(5)))
            var buffer = ByteBuffer()
            try await second.read(into: &buffer, deadline: .after(.seconds(5)))
            let refusal = buffer.take(buffer.count)
            #expect(refusal == Array("full".utf8))
            #expect(server.refusedCount == 1)
            first.close()
            await server.shutdown(grace: .seconds(5))
        }
    }

    @Test("a full backlog is taken in turns, between which the loop does what else is due")
    func backlog() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let release = EventCounter()
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 1000)
            ) { _ in _ = await release.wait(after: 0) }
            let address = try #require(SocketAddress(numeric: "127.0.0.1", port: server.port))
            var clients: [Int32] = []
            defer { for client in clients { close(client) } }
            // The kernel connects them while the loop is here.
            for _ in 0..<300 {
                let client = try Socket.make(address.domain)
                clients.append(client)
                _ = address.withSockaddr { Glibc.connect(client, $0, $1) }
            }
            var (last, longest) = (0, 0)
            let deadline = Deadline.after(.seconds(20))
            while last < 300, !deadline.hasPassed {
                await loops.loops[0].nextTurn()
                let count = server.connectionCount
                longest = max(longest, count - last)
                last = count
            }
            #expect(last == 300)
            #expect(longest <= ConnectionServer.acceptsPerTurnMax)
            release.raise()
            await server.shutdown(grace: .seconds(5))
        }
    }

    @Test(
        "a second task that waits to write waits for the first one's end, with its own deadline, until the stream closes"
    )
    func sharedWait() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let (left, right) = try ByteStream.pair(on: loop)
            let (writing, reading) = (UncheckedBox(left), UncheckedBox(right))
            let bytes = [UInt8](repeating: 7, count: 4 << 20)
            let writer = loop.task { () -> IOError? in
                do throws(IOError) {
                    try await writing.value.write(bytes)
                    return nil
                } catch { return error }
            }
            for _ in 0..<5 { await loop.nextTurn() }
            // As the reader of a TLS stream does that has to answer a key update while a send waits.
            await #expect(throws: IOError.timedOut) {
                try await writing.value.waitToWrite(.after(.milliseconds(20)))
            }
            let cancelled = loop.task { () -> IOError? in
                do throws(IOError) {
                    try await writing.value.waitToWrite(.never)
                    return nil
                } catch { return error }
            }
            for _ in 0..<5 { await loop.nextTurn() }
            cancelled.cancel()
            #expect(await cancelled.value == .cancelled)
            let second = loop.task { () -> IOError? in
                do throws(IOError) {
                    try await writing.value.waitToWrite(.after(.seconds(20)))
                    return nil
                } catch { return error }
            }
            var buffer = ByteBuffer()
            var count = 0
            while count < bytes.count {
                count += try await reading.value.read(into: &buffer, deadline: .after(.seconds(20)))
                _ = buffer.take(buffer.count)
            }
            #expect(await writer.value == nil)
            #expect(await second.value == nil)

            let stuck = loop.task { () -> IOError? in
                do throws(IOError) {
                    try await writing.value.write(bytes)
                    return nil
                } catch { return error }
            }
            for _ in 0..<5 { await loop.nextTurn() }
            let third = loop.task { () -> IOError? in
                do throws(IOError) {
                    while true { try await writing.value.waitToWrite(.after(.seconds(20))) }
                } catch { return error }
            }
            for _ in 0..<5 { await loop.nextTurn() }
            writing.value.close()
            #expect(await stuck.value == .closed)
            #expect(await third.value == .closed)
            reading.value.close()
        }
    }

    @Test("the limit of open files is raised to the hard limit, and a server takes no more connections than it allows")
    func openFiles() async throws {
        var limits = rlimit()
        #expect(OpenFiles.limit > 0)
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
        #expect(limits.rlim_cur == limits.rlim_max)
        #expect(OpenFiles.connections(wanted: 16_000, limit: 1024) == 768)
        #expect(OpenFiles.connections(wanted: 100, limit: 1024) == 100)
        try await EventLoopGroup.withLoops(1) { loops in
            let server = try await ConnectionServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: .max)
            ) { _ in }
            #expect(server.connectionsMax == OpenFiles.limit / 4 * 3)
            await server.shutdown(grace: .seconds(5))
        }
    }
}

/// Carries a loop's object into a closure that runs on the same loop.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
