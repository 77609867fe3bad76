import Glibc
import ReactorTesting
import Synchronization
import Testing

@testable import Reactor

@Suite struct EventLoopTests {
    private actor Resident {
        private let loop: EventLoop
        private(set) var calls = 0
        init(on loop: EventLoop) { self.loop = loop }
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        func call() async throws(IOError) -> Bool {
            calls += 1
            try await loop.sleep(for: .zero)
            return loop.isCurrent
        }
    }

    @Test("tasks, child tasks and actors of a loop run on its thread, before and after a wait")
    func residence() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let loop = loops.loops[1]
            let resident = Resident(on: loop)
            let here = await loop.task { () -> [Bool] in
                var seen = [loop.isCurrent]
                try? await loop.sleep(for: .milliseconds(1))
                seen.append(loop.isCurrent)
                await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<3 { group.addTask { loop.isCurrent } }
                    for await isCurrent in group { seen.append(isCurrent) }
                }
                seen.append((try? await resident.call()) ?? false)
                seen.append(loop.isCurrent)
                return seen
            }.value
            #expect(here == Array(repeating: true, count: 7))
            #expect(loops.loops[0].isCurrent)
        }
    }

    @Test("work from other threads arrives whole and in order")
    func inbox() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let got = Mutex<[Int]>([])
            let done = EventCounter()
            for number in 0..<10_000 {
                loops.loops[1].execute {
                    got.withLock { $0.append(number) }
                    if number == 9_999 { done.raise() }
                }
            }
            _ = await done.wait(after: 0, deadline: .after(.seconds(10)))
            #expect(got.withLock { $0 } == Array(0..<10_000))
        }
    }

    @Test("sleeping ends at the deadline, or with the task's cancellation, early or late")
    func sleep() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let start = Deadline.now()
            try await loop.sleep(for: .milliseconds(20))
            #expect(Deadline.now().since(start) >= .milliseconds(20))
            let sleeping = EventCounter()
            let late = loop.throwingTask {
                sleeping.raise()
                try await loop.sleep(until: .never)
            }
            _ = await sleeping.wait(after: 0)
            late.cancel()
            await #expect(throws: IOError.cancelled) { try await late.value }
            let early = loop.throwingTask { try await loop.sleep(until: .never) }
            early.cancel()
            await #expect(throws: IOError.cancelled) { try await early.value }
        }
    }

    @Test("a signal wakes every waiter, and a wait ends at its deadline")
    func signal() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let signal = EventCounter()
            let waiters = (0..<20).map { index in
                loops.loops[index % 2].task { await signal.wait(after: 0, deadline: .after(.seconds(10))) }
            }
            loops.loops[1].execute { signal.raise() }
            for waiter in waiters { #expect(await waiter.value == 1) }
            #expect(await signal.wait(after: 1, deadline: .after(.milliseconds(2))) == 1)
        }
    }

    @Test("stopping a group ends waits with an error instead of leaving them for ever")
    func shutdown() async throws {
        let loops = try EventLoopGroup(count: 1)
        let waiting = Mutex(false)
        let task = loops.loops[0].throwingTask {
            let (left, right) = try ByteStream.pair(on: loops.loops[0])
            defer { right.close() }
            var buffer = ByteBuffer()
            waiting.withLock { $0 = true }
            try await left.read(into: &buffer)
        }
        while !waiting.withLock({ $0 }) { await Task.yield() }
        loops.shutdown()
        loops.shutdown()
        await #expect(throws: IOError.closed) { try await task.value }
    }

    @Test("the blocking pool refuses what exceeds its queue, and finishes what it has taken")
    func blockingPool() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let pool = try BlockingPool(threads: 1, queueMax: 1)
            let (started, gate) = (EventCounter(), Gate())
            let loop = loops.loops[0]
            let running = loop.throwingTask {
                try await pool.run {
                    started.raise()
                    gate.wait()
                }
            }
            _ = await started.wait(after: 0)
            let queued = loop.throwingTask { try await pool.run { 2 } }
            try await loop.sleep(for: .zero)
            await #expect(throws: IOError.limit("blocking work waiting: 1")) { try await pool.run { 3 } }
            gate.open()
            try await running.value
            #expect(try await queued.value == 2)
            pool.shutdown()
            await #expect(throws: IOError.closed) { try await pool.run { 4 } }
        }
    }
}
