import Postgres
import Reactor
import Synchronization
import Testing

@testable import Service

@Suite struct GroupCommitTests {
    private struct Refused: Error {}

    @Test("What comes while a commit is under way is committed together, each with its own outcome")
    func groups() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let sizes = Mutex<[Int]>([])
            let (begun, gate) = (EventCounter(), EventCounter())
            let group = GroupCommit<Int, Int>(itemsMax: 50, waitingMax: 1000, turns: CommitTurns(1)) { items in
                let isFirst = sizes.withLock { sizes in
                    sizes.append(items.count)
                    return sizes.count == 1
                }
                if isFirst {
                    begun.raise()
                    _ = await gate.wait(after: 0)
                }
                return items.map { $0 * 2 }
            }
            let outcomes = await loops.loops[0].task {
                await withTaskGroup(of: (Int, Int?).self) { tasks in
                    tasks.addTask { (0, try? await group.submit(0)) }
                    _ = await begun.wait(after: 0)
                    for number in 1..<101 { tasks.addTask { (number, try? await group.submit(number)) } }
                    while group.waitingCount < 100 { await Task.yield() }
                    gate.raise()
                    return await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
            }.value
            #expect(outcomes.count == 101)
            #expect(outcomes.allSatisfy { $0.value == $0.key * 2 })
            #expect(sizes.withLock { $0 } == [1, 50, 50])
        }
    }

    @Test("A further group begins beside one that is held up when a quarter of its most waits, or one for too long")
    func beside() async throws {
        for (patience, count) in [(Duration.seconds(3600), 4), (.zero, 1)] {
            try await EventLoopGroup.withLoops(1) { loops in
                let sizes = Mutex<[Int]>([])
                let (begun, gate) = (EventCounter(), EventCounter())
                let group = GroupCommit<Int, Int>(itemsMax: 16, waitingMax: 1000, patience: patience) { items in
                    sizes.withLock { $0.append(items.count) }
                    begun.raise()
                    if items == [0] { _ = await gate.wait(after: 0) }
                    return items
                }
                await loops.loops[0].task {
                    await withTaskGroup(of: Void.self) { tasks in
                        tasks.addTask { _ = try? await group.submit(0) }
                        _ = await begun.wait(after: 0)
                        for number in 1...count { tasks.addTask { _ = try? await group.submit(number) } }
                        // The first one is still held up.
                        _ = await begun.wait(after: 1)
                        gate.raise()
                    }
                }.value
                #expect(sizes.withLock { $0 } == [1, count])
            }
        }
    }

    @Test(
        "NFR-02: groups that share their turns begin when one of them is free, and do not wait for one that is held up")
    func shared() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            for turnMax in [Duration.seconds(3600), .milliseconds(20)] {
                let turns = CommitTurns(1, turnMax: turnMax)
                let isHeld = turnMax < .seconds(1)
                let (begun, gate, done) = (EventCounter(), EventCounter(), EventCounter())
                let sizes = Mutex<[Int]>([])
                let held = GroupCommit<Int, Int>(itemsMax: 16, waitingMax: 100, turns: turns) { items in
                    begun.raise()
                    _ = await gate.wait(after: 0)
                    return items
                }
                let other = GroupCommit<Int, Int>(itemsMax: 16, waitingMax: 100, turns: turns) { items in
                    sizes.withLock { $0.append(items.count) }
                    done.raise()
                    return items
                }
                await loops.loops[0].task {
                    await withTaskGroup(of: Void.self) { tasks in
                        tasks.addTask { _ = try? await held.submit(0) }
                        _ = await begun.wait(after: 0)
                        for number in 0..<3 { tasks.addTask { _ = try? await other.submit(number) } }
                        if isHeld {
                            _ = await done.wait(after: 0)
                        } else {
                            while other.waitingCount < 3 { await Task.yield() }
                        }
                        gate.raise()
                    }
                }.value
                let total = sizes.withLock { $0.reduce(0, +) }
                #expect(total == 3 && (isHeld || sizes.withLock { $0 } == [3]))
            }
        }
    }

    @Test("Beyond the limit it is said so, and a failure reaches all of the group")
    func limits() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let full = GroupCommit<Int, Int>(itemsMax: 1, waitingMax: 0) { $0 }
            let failing = GroupCommit<Int, Int>(itemsMax: 1, waitingMax: 10) { _ in throw Refused() }
            await loops.loops[0].task {
                await #expect(throws: IOError.self) { try await full.submit(1) }
                await #expect(throws: Refused.self) { try await failing.submit(1) }
            }.value
        }
    }

    @Test(
        "NFR-03: items are committed one by one when one of them is at fault, not when the server is",
        arguments: [
            ("22P02", 64), ("23505", 64), ("57P01", 0), ("53300", 0), ("40001", 0), ("25006", 0),
            ("an event is too long", 64),
        ])
    func alone(_ state: String, _ alone: Int) async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let sizes = Mutex<[Int]>([])
            let (begun, gate) = (EventCounter(), EventCounter())
            let group = GroupCommit<Int, Int>(itemsMax: 64, waitingMax: 1000, turns: CommitTurns(1)) { items in
                if items == [0] {
                    begun.raise()
                    _ = await gate.wait(after: 0)
                    return items
                }
                sizes.withLock { $0.append(items.count) }
                guard items.count == 1 else {
                    guard state.count == 5 else { throw PostgresError.usage(state) }
                    throw PostgresError.server(ServerError(sqlState: SQLState(rawValue: state), message: ""))
                }
                return items
            }
            await loops.loops[0].task {
                await withTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { _ = try? await group.submit(0) }
                    _ = await begun.wait(after: 0)
                    for number in 1...64 { tasks.addTask { _ = try? await group.submit(number) } }
                    while group.waitingCount < 64 { await Task.yield() }
                    gate.raise()
                }
            }.value
            #expect(sizes.withLock { $0 } == [64] + [Int](repeating: 1, count: alone))
        }
    }
}
