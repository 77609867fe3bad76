import Contracts
import HTTP
import JSON
import LoadGenerator
import Primitives
import ProcessTesting
import Reactor

/// A third party that fetches a day of heart rates, one every 10 s, of each of 1,000 people: all of it as one NDJSON file, and the
/// file of one request after the other. The baseline is the people who read the same in My Health, by the same client and in turn
/// with it.
enum DayFilesBench {
    private static let people = 1000
    private static let every = 10_000
    private static let (samplesEach, uploadsEach) = (960, 9)
    private static let connections = 16
    /// People of whom one side reads before it is the other's turn.
    private static let turn = 50
    /// Files at the beginning that do not count.
    private static let warm = 20
    private static let samplesOfDay = samplesEach * uploadsEach

    private struct Outcome: Sendable {
        /// Seconds; `all` of one file with everybody.
        var (all, files, again, own) = (0.0, 0.0, 0.0, 0.0)
        var counted = 0
        var bytes = 0
        /// Of query, in MB.
        var (idle, peak) = (0.0, 0.0)
        var (allTimes, times) = ("", "")
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await DeliveriesBed.with { bed in
            let people = try await bed.people(people)
            let end = Timestamp.now().dateUTC.startUTC
            let begin = end - .seconds(86_400)
            try await load(people, from: begin, bed)
            try await bed.services.closeDays(sealing: people.count)
            let thirdParty = try await bed.thirdParties(1)[0]
            let requests = try await bed.accepted(.once(from: begin, to: end), of: people, by: thirdParty)
            try await ServiceTimes.waitForQuiet(bed)
            // As it is when it has done nothing else.
            bed.services[.query].kill()
            try await bed.services[.query].start()
            try await bed.services[.query].waitUntilReady()
            try await ServiceTimes.waitForQuiet(bed)
            return try await read(zip(requests, people).map { ($0, $1) }, thirdParty, begin, end, bed)
        }
        let samples = Double(outcome.counted * samplesOfDay)
        report.note("one file: \(outcome.allTimes)")
        report.note(
            "\(outcome.counted) files of \(samplesOfDay) samples, \(rounded(Double(outcome.bytes) / 1e6)) MB; \(outcome.times)"
        )
        let own = samples / outcome.own
        func share(_ seconds: Double) -> String {
            "\(rounded(samples / seconds)) samples/s, \(rounded(samples / seconds / own)) of My Health"
        }
        report.note("file after file: \(share(outcome.files)); the same files again: \(share(outcome.again))")
        report.note("query: \(rounded(outcome.idle)) MB idle, at most \(rounded(outcome.peak)) MB")
        report.add(
            "a day of heart rates of \(people) people as one file", Double(people * samplesOfDay) / outcome.all,
            against: "My Health", own, "samples/s", .atLeast(0.7))
        report.add("memory of query above idle", outcome.peak - outcome.idle, "MB", atMost: 32)
    }

    private static func load(_ people: [DeliveriesBed.Person], from begin: Timestamp, _ bed: DeliveriesBed) async throws
    {
        let (rates, tokens) = (HeartRates(count: samplesEach, every: every), try bed.deviceTokens(people))
        _ = try await bed.load(
            .ingestion, connections: connections, .closed, for: .requests(people.count * uploadsEach),
            wanted: rates.stored
        ) { number, now in
            let (turn, person) = (number / tokens.count, number % tokens.count)
            return rates.upload(
                Int64(turn + 1), from: begin.adding(milliseconds: Int64(turn * samplesEach * every)), sentAt: now,
                token: tokens[person])
        }
    }

    private static func read(
        _ all: [(request: UUID, person: DeliveriesBed.Person)], _ thirdParty: UUID, _ begin: Timestamp,
        _ end: Timestamp, _ bed: DeliveriesBed
    ) async throws -> Outcome {
        let ownPath = "/me/series?type=heart-rate&from=\(begin)&to=\(end)&max_points=100000"
        var outcome = Outcome()
        outcome.idle = try ProcessMemory(of: bed.services.process(.query)).now
        let begun = try ServiceTimes(bed)
        outcome.all = try await fetchAll(people: all.count, try bed.token(of: thirdParty), bed)
        outcome.allTimes = try ServiceTimes(bed).since(begun)
        let before = try ServiceTimes(bed)
        for first in stride(from: 0, to: all.count, by: turn) {
            let turn = first..<min(all.count, first + turn)
            let token = try bed.token(of: thirdParty)
            for number in turn {
                let (file, seconds) = try await fetch(all[number].request, token, bed)
                guard number >= warm else { continue }
                outcome.files += seconds
                outcome.counted += 1
                outcome.bytes += file
            }
            for number in turn where number >= warm {
                let own = try bed.token(of: all[number].person)
                let start = Deadline.now()
                let answer = try await bed.call(.get, .ingestion, ownPath, token: own)
                outcome.own += seconds(since: start)
                let count = try answer.json(OwnSeries.self).series.reduce(0) { $0 + $1.count }
                guard count == samplesOfDay else { throw BenchError.failed("My Health shows \(count) samples") }
            }
        }
        outcome.times = try ServiceTimes(bed).since(before)
        let token = try bed.token(of: thirdParty)
        for number in all.indices.dropFirst(warm) {
            outcome.again += try await fetch(all[number].request, token, bed).seconds
        }
        outcome.peak = try ProcessMemory(of: bed.services.process(.query)).peak
        return outcome
    }

    private struct Line: Decodable {
        let series: [SampleSeries]?
        let hasMore: Bool?
    }

    /// The file of all events, which must hold everybody's day: how long its last byte took to come, in seconds.
    private static func fetchAll(people: Int, _ token: String, _ bed: DeliveriesBed) async throws -> Double {
        let start = Deadline.now()
        let bytes = try await bed.file(.query, "/events", token: token, accept: "application/x-ndjson")
        let seconds = seconds(since: start)
        var (samples, hasMore): (Int, Bool?) = (0, nil)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let line = try JSONDecoder().decode(Line.self, from: Array(line))
            for series in line.series ?? [] { samples += series.count }
            hasMore = line.hasMore ?? hasMore
        }
        guard samples == people * samplesOfDay, hasMore == false else {
            throw BenchError.failed("a file of \(samples) samples")
        }
        return seconds
    }

    /// The file of one request, which must hold the whole day: its bytes, and how long its last one took to come.
    private static func fetch(
        _ request: UUID, _ token: String, _ bed: DeliveriesBed
    ) async throws -> (bytes: Int, seconds: Double) {
        let start = Deadline.now()
        let file = try await bed.call(
            .get, .query, "/requests/\(request)/data", token: token, accept: "application/x-ndjson")
        let seconds = seconds(since: start)
        let count = try file.body.split(separator: UInt8(ascii: "\n")).reduce(0) { count, line in
            count + (try JSONDecoder().decode(SampleSeries.self, from: Array(line)).count)
        }
        guard count == samplesOfDay else { throw BenchError.failed("a file of \(count) samples") }
        return (file.body.count, seconds)
    }
}
