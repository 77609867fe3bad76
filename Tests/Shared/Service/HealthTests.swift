import Glibc
import Postgres
import PostgresTesting
import Reactor
@testable import Service
import ReactorTesting
import Testing

@Suite struct HealthTests {
    @Test("NFR-03: a loop that stands still is noticed, and when it goes on again")
    func pulse() async throws {
        try await EventLoopGroup.withLoops(2) { loops in
            let metrics = Metrics()
            let pulse = LoopPulse(loops, metrics)
            let tasks = BackgroundTasks(log: Log(service: "s", sink: MemoryLogSink()), metrics: metrics)
            for (loop, task) in pulse.tasks { tasks.start(task, on: loop) }
            let own = loops.loops[0]
            func wait(until holds: (Duration) -> Bool) async throws {
                let patience = Deadline.after(.patience)
                while !holds(pulse.silence), !patience.hasPassed { try await own.sleep(for: .milliseconds(10)) }
                #expect(holds(pulse.silence))
            }
            loops.loops[1].execute { sleep(2) }
            try await wait { $0 > .milliseconds(1500) }
            try await wait { $0 < .milliseconds(700) }
            await tasks.stop()
        }
    }

    @Test("NFR-03: writes are proven by writing, and a database that takes none is told of once")
    func proof() async throws {
        try await TestDatabase.with { test in
            let sink = MemoryLogSink()
            let observer = Observer(log: Log(service: "s", sink: sink))
            let proof = WriteProof(test.database, observer)
            await proof.prove()
            #expect(proof.holds && sink.lines.isEmpty)
            let readOnly = test.another {
                $0.connectionInfo += " options='-c default_transaction_read_only=on' target_session_attrs=any"
            }
            let failing = WriteProof(readOnly, observer)
            await failing.prove()
            await failing.prove()
            #expect(sink.count(of: "database takes no writes") == 1)
            let text = String(decoding: await observer.metrics.text(), as: UTF8.self)
            #expect(text.contains("trackme_database_write_failures_total 2"))
            #expect(text.contains("trackme_database_write_seconds_count 1"))
            await readOnly.close()
        }
    }
}
