import Contracts
import Domain
import HTTP
import LoadGenerator
import Primitives
import Reactor
import SuiteClient

/// What a third party waits for the first page of a request by somebody with a year of heart rates, one every 30 s, which is
/// sealed: when it asks for the first time, and again. The baseline is the person who reads the same samples in My Health.
///
/// At fixed times, one after the other; each request is ended once its page was read, and a fresh one comes next.
enum FirstPageBench {
    private static let (people, thirdParties, rounds) = (5, 20, 3)
    private static let days = 365
    private static let every = 30_000
    private static let samplesEach = 1000
    /// One, since pages are in the order of arrival.
    private static let connections = 1
    /// From one first page to the next; half of it later My Health is asked.
    private static let apart = Duration.milliseconds(250)
    /// Pages at the beginning that do not count.
    private static let warm = 10

    private struct Waits: Sendable {
        var first = LatencyHistogram()
        var again = LatencyHistogram()
        var own = LatencyHistogram()
        var samples = 0
        var times = ""
    }

    static func run(_ report: inout Report) async throws {
        let waits = try await DeliveriesBed.with { bed in
            let (people, end) = (try await bed.people(people), Timestamp.now().dateUTC.startUTC)
            let begin = end - .seconds(days * 86_400)
            let samples = try await load(people, from: begin, bed)
            try await bed.services.closeDays(sealing: people.count)
            emit("      \(samples) heart rates of \(people.count) people are sealed")
            let thirdParties = try await bed.thirdParties(thirdParties)
            var waits = Waits()
            for round in 0..<rounds {
                let requests = try await bed.accepted(
                    .once(from: begin, to: end), thirdParties.map { ($0, people) })
                try await ServiceTimes.waitForQuiet(bed)
                let before = try ServiceTimes(bed)
                let asked = zip(thirdParties, requests).flatMap { thirdParty, requests in
                    zip(requests, people).map { Asked(request: $0, thirdParty: thirdParty, person: $1) }
                }
                try await ask(asked, skipping: round == 0 ? warm : 0, bed, &waits)
                waits.times = try ServiceTimes(bed).since(before)
            }
            return waits
        }
        func text(_ name: String, _ latency: LatencyHistogram) -> String {
            "\(name): p50 \(rounded(latency.percentile(0.5) / 1000)) ms, p99 \(rounded(latency.percentile(0.99) / 1000)) ms of \(latency.count)"
        }
        report.note(
            "pages of about \(waits.samples / max(1, waits.first.count)) samples; the last round: \(waits.times)")
        for (name, latency) in [("first page", waits.first), ("again", waits.again), ("My Health", waits.own)] {
            report.note(text(name, latency))
        }
        for (name, latency) in [("first page of a request", waits.first), ("the same again", waits.again)] {
            report.add(
                "\(name), p50", latency.percentile(0.5) / 1000, against: "the same samples in My Health",
                waits.own.percentile(0.5) / 1000, "ms", .atMost(1.5))
            report.add("\(name), p99", latency.percentile(0.99) / 1000, "ms", atMost: 20)
        }
    }

    /// Loads a year of each, person after person and in the order of time. Returns how many samples.
    private static func load(
        _ people: [DeliveriesBed.Person], from begin: Timestamp, _ bed: DeliveriesBed
    ) async throws -> Int {
        let rates = HeartRates(count: samplesEach, every: every)
        let each = days * 86_400_000 / (every * samplesEach)
        let tokens = try bed.deviceTokens(people)
        _ = try await bed.load(
            .ingestion, connections: connections, .closed, for: .requests(each * people.count), wanted: rates.stored
        ) { number, now in
            let (person, turn) = (number / each, number % each)
            return rates.upload(
                Int64(turn + 1), from: begin.adding(milliseconds: Int64(turn * samplesEach * every)), sentAt: now,
                token: tokens[person])
        }
        return each * people.count * samplesEach
    }

    private struct Asked: Sendable {
        let request: UUID
        let thirdParty: UUID
        let person: DeliveriesBed.Person
    }

    private static func ask(
        _ all: [Asked], skipping skipped: Int, _ bed: DeliveriesBed, _ waits: inout Waits
    ) async throws {
        guard let loop = EventLoop.current else { throw BenchError.failed("outside an event loop") }
        let start = Deadline.after(.seconds(1))
        for (number, asked) in all.enumerated() {
            let (token, own) = (try bed.token(of: asked.thirdParty), try bed.token(of: asked.person))
            let due = start.advanced(by: apart * number)
            try await loop.sleep(until: due)
            let path = "/requests/\(asked.request)"
            let page = try await bed.call(.get, .query, "\(path)/data", token: token)
            let first = microseconds(since: due)
            let begun = Deadline.now()
            try await bed.call(.get, .query, "\(path)/data", token: token)
            let again = microseconds(since: begun)
            // So that nothing goes on making events of the rest of the year.
            try await bed.call(.delete, .query, path, token: token)
            let read = try page.json(DataPage.self)
            let times = read.series.flatMap { series in (0..<series.count).map(series.time) }
            guard let from = times.min(), let last = times.max() else {
                throw BenchError.failed("a first page without samples")
            }
            let ownDue = due.advanced(by: apart / 2)
            try await loop.sleep(until: ownDue)
            let answer = try await bed.call(
                .get, .ingestion,
                "/me/series?type=heart-rate&from=\(from)&to=\(last.adding(milliseconds: 1))&max_points=100000",
                token: own)
            let ownWait = microseconds(since: ownDue)
            let same = try answer.json(OwnSeries.self).series.reduce(0) { $0 + $1.count }
            guard same == read.count else {
                throw BenchError.failed("a page of \(read.count) samples, of which My Health shows \(same)")
            }
            guard number >= skipped else { continue }
            waits.first.add(microseconds: first)
            waits.again.add(microseconds: again)
            waits.own.add(microseconds: ownWait)
            waits.samples += read.count
        }
    }
}

/// What My Health answers of raw samples.
struct OwnSeries: Decodable {
    let series: [SampleSeries]
}

func microseconds(since start: Deadline) -> Int64 { Int64(seconds(since: start) * 1e6) }
