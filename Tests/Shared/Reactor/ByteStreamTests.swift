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
}

/// Carries a loop's object into a closure that runs on the same loop.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
