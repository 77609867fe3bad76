import Contracts
import Feed
import Postgres
import Primitives
import Reactor
import Service
import Synchronization
import Testing

@testable import Dispatcher

/// Whose silence means a lost sensor, and whose does not.
@Suite struct SilenceWatchTests {
    /// A silence watch whose feed and clock the test has in its hands.
    private struct World: Sendable {
        let dispatcher: TestDispatcher
        let watch: SilenceWatch
        let age: Age
        private let start = Deadline.now()

        final class Age: Sendable {
            let value = Mutex<Duration?>(.seconds(1))
        }

        init(_ dispatcher: TestDispatcher) {
            self.dispatcher = dispatcher
            let age = Age()
            self.age = age
            watch = SilenceWatch(
                people: dispatcher.capabilities.people, gaps: GapStore(database: dispatcher.database),
                metrics: Metrics()
            ) {
                FeedProgress(appliedUntil: nil, age: age.value.withLock { $0 })
            }
        }

        /// Looks every 15 s in these seconds; how many became blind.
        func look(_ seconds: ClosedRange<Int64>) async throws -> Int {
            var count = 0
            for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 15) {
                count += try await watch.look(at: start.advanced(by: .seconds(second)))
            }
            return count
        }

        /// Enrols so many, and lets them be silent for as many seconds as `silence` says of each.
        func enrol(_ count: Int, silent silence: (Int) -> Double) async throws -> [UUID] {
            let now = try #require(
                try await dispatcher.database.queryOne("select clock_timestamp()", as: Timestamp.self))
            var accounts: [UUID] = []
            for index in 0..<count {
                let account = UUID.random()
                accounts.append(account)
                try await dispatcher.enrol(account)
                let last = now - .milliseconds(Int64(silence(index) * 1000))
                try await dispatcher.database.batch([
                    try await dispatcher.monitor(of: account, begunAt: last),
                    "update monitor set last_vital_at = \(last) where account = \(account)",
                ])
            }
            return accounts
        }

        func blind() async throws -> Set<UUID> {
            Set(try await dispatcher.database.query("select account from monitor where phase = 'blind'", as: UUID.self))
        }
    }

    private func with(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await TestDispatcher.with { dispatcher in try await body(World(dispatcher)) }
    }

    @Test("SOS-11: who is silent for five minutes while the feed is read is told of it, once, by routine mail")
    func alone() async throws {
        try await with { world in
            let accounts = try await world.enrol(6) { $0 == 0 ? 400 : 10 }
            #expect(try await world.look(0...285) == 0)
            #expect(try await world.look(300...300) == 1)
            #expect(try await world.blind() == [accounts[0]])
            #expect(try await world.look(315...360) == 0)
            let isTold = try await world.dispatcher.wait {
                world.dispatcher.accounts.notices.contains { $0.template == "sensor-lost" }
            }
            #expect(isTold)
        }
    }

    @Test("SOS-11 NFR-03: while the feed was not read all the time, that nothing came says nothing")
    func noFeed() async throws {
        try await with { world in
            _ = try await world.enrol(6) { $0 == 0 ? 4000 : 10 }
            #expect(try await world.look(0...285) == 0)
            world.age.value.withLock { $0 = .seconds(31) }
            #expect(try await world.look(300...300) == 0)
            world.age.value.withLock { $0 = nil }
            #expect(try await world.look(315...315) == 0)
            // Read again: the window begins anew.
            world.age.value.withLock { $0 = .seconds(2) }
            #expect(try await world.look(330...615) == 0)
            // Nobody looked for a while.
            #expect(try await world.look(700...700) == 0)
            #expect(try await world.look(715...985) == 0)
            #expect(try await world.look(1000...1000) == 1)
        }
    }

    @Test("SOS-11 NFR-03: many who fall silent together are an outage: the operator hears of it once, nobody else")
    func together() async throws {
        try await with { world in
            let accounts = try await world.enrol(20) { index in
                switch index {
                case 0..<6: 330 + Double(index) * 10
                case 6: 2000
                default: 5
                }
            }
            #expect(try await world.look(0...330) == 1)
            // The one who fell silent long before is told as ever.
            #expect(try await world.blind() == [accounts[6]])
            let alarms = { world.dispatcher.log.lines.count { $0.contains("many people fell silent together") } }
            #expect(alarms() == 1)
            // They come back, but for one.
            let now = try await world.dispatcher.database.queryOne("select clock_timestamp()", as: Timestamp.self)
            for account in accounts[0..<5] {
                try await world.dispatcher.database.execute(
                    "update monitor set last_vital_at = \(now) where account = \(account)")
            }
            #expect(try await world.look(345...345) == 1)
            #expect(try await world.blind() == [accounts[5], accounts[6]])
            #expect(alarms() == 1)
            #expect(world.dispatcher.log.lines.contains { $0.contains("are seen again") })
        }
    }

    @Test("SOS-11: a monitor that cannot be read does not stop the looking, and begins anew")
    func unreadable() async throws {
        try await with { world in
            let accounts = try await world.enrol(6) { $0 < 2 ? 400 + Double($0) * 1000 : 10 }
            try await world.dispatcher.database.execute("update monitor set state = 'x' where account = \(accounts[0])")
            #expect(try await world.look(0...330) == 1)
            #expect(try await world.blind() == [accounts[1]])
            #expect(world.dispatcher.log.lines.contains { $0.contains("begins anew") })
        }
    }

    @Test("SOS-11: an outage of however many people is one row; whose samples are still to be read is not judged")
    func bounded() async throws {
        try await with { world in
            let accounts = try await world.enrol(12) { _ in 400 }
            let database = world.dispatcher.database
            let rows = try await database.query(SilenceWatch.undecided, as: UUID?.self, Int.self)
            #expect(rows.map(\.0) == [nil] && rows.map(\.1) == [12])
            try await database.execute("delete from monitor where account <> \(accounts[0])")
            try await database.execute("insert into feed_gap (account, opened_at) values (\(accounts[0]), now())")
            #expect(try await database.query(SilenceWatch.undecided, as: UUID?.self, Int.self).map(\.1) == [0])
            try await database.execute("delete from feed_gap")
            let alone = try await database.query(SilenceWatch.undecided, as: UUID?.self, Int.self)
            #expect(alone.compactMap(\.0) == [accounts[0]])
        }
    }
}
