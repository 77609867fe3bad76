import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension BadDays {
    /// Services that are not deployed, or away for a weekend, must not fill the database of the others.
    @Suite struct AbsentServicesTests {
        /// Much more than comes in twice the time after which the dispatcher saves what it has judged (`FeedConsumerSettings.saveInterval`).
        private static let cap = 4 << 20
        /// Of one upload.
        private static let samples = 2000

        @Test(
            "NFR-03b SOS-05: without Track4Run and query the live feed is trimmed at its cap, and alarms go out meanwhile",
            .timeLimit(.minutes(5)))
        func absent() async throws {
            let names: [ServiceName] = [.accounts, .ingestion, .dispatcher]
            try await RunningSuite.prepared(names) { suite in
                try await suite.cluster.start()
                try await suite.makeSchemas(of: names)
                try suite[.ingestion].configure {
                    $0.replacing(
                        #""loops": 1"#,
                        with: #""loops": 1, "feeds": {"ingestion.live": {"bytes_max": \#(Self.cap)}}"#)
                }
                try await suite.running(names) {
                    for name in names { try await suite[name].waitUntilReady() }
                    try await run(suite)
                }
            }
        }

        private func run(_ suite: RunningSuite) async throws {
            let ambulance = try await WebhookReceiver.start(
                at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
            let patients = try await suite.patients(3)
            let over = EventCounter()
            let load = try #require(EventLoop.current).throwingTask {
                while over.value == 0 {
                    try await upload(patients[0].device)
                    try await eventually("the dispatcher follows") { try await isFollowed(suite) }
                    try await EventLoop.current?.sleep(for: .milliseconds(50))
                }
            }
            for patient in patients.dropFirst() {
                let before = try await trims(suite)
                try await eventually("the feed reaches its cap") {
                    try await trims(suite) > before + 1
                }
                try await patient.collapse()
                try await ambulance.call(about: patient)
                #expect(try await patient.individual.api.incidents().count == 1)
            }
            over.raise()
            // Every upload was stored.
            try await load.value
            let size = try await suite.stored(
                .ingestion,
                """
                select sum(pg_total_relation_size('feed_live_' || n)) < \(Int64(Self.cap + (1 << 20)))
                from generate_series(0, 3) n
                """)
            #expect(size)
            let metrics = try await suite[.ingestion].ask("/metrics").text
            let passedOver = #"trackme_feed_passed_over_total{feed="ingestion.live",consumer="track4run"}"#
            #expect(metrics.contains(passedOver))
            #expect(!metrics.contains(passedOver.replacing("track4run", with: "dispatcher")))
            await ambulance.stop()
        }

        /// Whether the dispatcher has all but the feed's two newest segments. On a slow machine the uploads wait for it, so that
        /// the cap takes what is kept for the absent and nothing else.
        private func isFollowed(_ suite: RunningSuite) async throws -> Bool {
            try await suite.stored(
                .ingestion,
                """
                select not exists (
                  select from (
                    select 0 as segment, lane, position from feed_live_0
                    union all select 1, lane, position from feed_live_1
                    union all select 2, lane, position from feed_live_2
                    union all select 3, lane, position from feed_live_3) e
                  join feed_ring r on r.feed = \(Ingestion.liveFeed) and e.segment not in (r.segment, (r.segment + 3) % 4)
                  left join feed_consumer c on c.feed = r.feed and c.consumer = 'dispatcher' and c.lane = e.lane
                  where e.position > coalesce(c.position, 0))
                """)
        }

        /// How often segments of the feed were emptied.
        private func trims(_ suite: RunningSuite) async throws -> Int64 {
            let database = suite.cluster.database(schema: "ingestion")
            let answer: Result<Int64?, any Error>
            do {
                answer = .success(
                    try await database.queryOne(
                        "select trims from feed_ring where feed = \(Ingestion.liveFeed)", as: Int64.self))
            } catch { answer = .failure(error) }
            await database.close()
            return try answer.get() ?? 0
        }

        /// Normal heart rates, too old to raise an alarm and not too old for the live feed.
        private func upload(_ device: Device) async throws {
            let start = Timestamp.now().wholeMilliseconds - .seconds(600)
            let offsets = (0..<Self.samples).map { Int64($0) * 100 }
            try await device.upload([
                .init(
                    type: .heartRate, start: start, offsets: offsets, values: offsets.map { 60 + Double($0 / 100 % 37) }
                )
            ])
        }
    }
}
