import Reactor
@testable import Service
import ReactorTesting
import ServiceTesting
import Synchronization
import Testing

@Suite struct BackgroundTasksTests {
    private struct Failure: Error {}

    @Test("NFR-03: a task that fails is logged, counted and started again; stopping cancels and joins it")
    func restart() async throws {
        let (sink, metrics, pacing) = (MemoryLogSink(), Metrics(), ManualPacing())
        let attempts = metrics.counter("attempts_total", "Attempts.")
        let steady = EventCounter()
        try await EventLoopGroup.withLoops(1) { loops in
            let tasks = BackgroundTasks(log: Log(service: "s", sink: sink), metrics: metrics, pacing: pacing)
            tasks.start(
                BackgroundTask("feed") {
                    attempts.increment()
                    guard attempts.value > 2 else { throw Failure() }
                    steady.raise()
                    try await EventLoop.current?.sleep(until: .never)
                }, on: loops.loops[0])
            #expect(await pacing.reached(pauses: 1))
            pacing.tick()
            #expect(await pacing.reached(pauses: 2))
            pacing.tick()
            #expect(await steady.wait(after: 0, deadline: .after(.patience)) == 1)
            let text = String(decoding: await metrics.text(), as: UTF8.self)
            #expect(text.contains(#"trackme_background_failures_total{task="feed"} 2"#))
            #expect(text.contains("trackme_background_tasks 1"))
            await tasks.stop()
            #expect(metrics.gauge("trackme_background_tasks", "Background tasks that run.").value == 0)
            await tasks.stop()
        }
        #expect(sink.lines.count == 2)
        #expect(
            sink.lines.allSatisfy {
                $0.contains(#""message":"background task failed""#) && $0.contains(#""task":"feed""#)
            })
    }

    @Test("a periodic task works, pauses and works again")
    func periodic() async throws {
        let pacing = ManualPacing()
        let runs = Metrics().counter("runs_total", "Runs.")
        try await EventLoopGroup.withLoops(1) { loops in
            let tasks = BackgroundTasks(
                log: Log(service: "s", sink: MemoryLogSink()), metrics: Metrics(), pacing: pacing)
            tasks.start(
                .periodic("clean", every: .seconds(60), pacing: pacing) { runs.increment() },
                on: loops.loops[0])
            for round in 1...3 {
                #expect(await pacing.reached(pauses: UInt64(round)))
                #expect(runs.value == round)
                pacing.tick()
            }
            await tasks.stop()
        }
    }

    @Test("a task that does not heed its cancellation is named, and does not hold up the stop for ever")
    func stubborn() async throws {
        let sink = MemoryLogSink()
        let release = EventCounter()
        try await EventLoopGroup.withLoops(1) { loops in
            let tasks = BackgroundTasks(log: Log(service: "s", sink: sink), metrics: Metrics())
            let began = EventCounter()
            tasks.start(
                BackgroundTask("stubborn") {
                    began.raise()
                    // A task of its own does not hear of the cancellation.
                    await loops.loops[0].task { _ = await release.wait(after: 0) }.value
                }, on: loops.loops[0])
            _ = await began.wait(after: 0, deadline: .after(.patience))
            await tasks.stop(within: .zero)
            #expect(sink.lines.first?.contains(#""tasks":["stubborn"]"#) == true)
            release.raise()
            await tasks.stop()
        }
        #expect(sink.lines.count == 1)
    }

    /// Records pauses, and ends them at once.
    private final class NoPauses: Pacing {
        let pauses = Mutex<[Duration]>([])
        private let countMax: Int
        let done = EventCounter()

        init(_ countMax: Int) { self.countMax = countMax }

        func pause(_ duration: Duration) async throws(IOError) {
            let isDone = pauses.withLock { pauses in
                pauses.append(duration)
                return pauses.count >= countMax
            }
            guard isDone else { return }
            done.raise()
            throw .cancelled
        }
    }

    @Test(
        "SOS-05: a task on which alarms depend is started again within a second, however often it has failed",
        arguments: [(true, Duration.seconds(1)), (false, .seconds(30))])
    func alarms(_ carriesAlarms: Bool, _ longest: Duration) async throws {
        let pacing = NoPauses(20)
        try await EventLoopGroup.withLoops(1) { loops in
            let tasks = BackgroundTasks(
                log: Log(service: "s", sink: MemoryLogSink()), metrics: Metrics(), pacing: pacing)
            tasks.start(
                .periodic("backlog", every: .seconds(1), carriesAlarms: carriesAlarms) { throw Failure() },
                on: loops.loops[0])
            #expect(await pacing.done.wait(after: 0, deadline: .after(.patience)) == 1)
            await tasks.stop()
        }
        let last = try #require(pacing.pauses.withLock { $0 }.last)
        #expect(last <= longest && last >= longest / 2)
    }
}
