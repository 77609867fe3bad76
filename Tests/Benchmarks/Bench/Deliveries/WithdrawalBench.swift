import Contracts
import LoadGenerator
import Primitives
import Reactor

/// Withdrawals while data flows: 1,000 people, each with a stream of the one request for their data, and uploads of all of
/// them. What counts is what comes over the stream of somebody after the withdrawal was answered.
enum WithdrawalBench {
    private static let (people, thirdParties) = (1000, 10)
    private static let (rate, connections) = (1000.0, 64)
    /// Of the people so many withdraw, so many a second, at fixed times.
    private static let (withdrawals, withdrawnEachSecond) = (300, 20.0)
    /// Data flows for so long before the first and after the last.
    private static let (before, after) = (5.0, 5.0)
    private static let answerSecondsMax = 1.5
    /// More than a stream without data has said by then.
    private static let flowingBytesMin = 500

    private struct Outcome: Sendable {
        var answers = LatencyHistogram()
        var slowest = 0.0
        var bytesAfter = 0
        /// What was late, of the first.
        var example = ""
        var bytes = 0
        var times = ""
    }

    private struct Withdrawal: Sendable {
        let stream: String
        let streamToken: String
        /// The withdrawal, as it is sent.
        let request: [UInt8]
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await DeliveriesBed.with { bed in
            let (people, thirdParties) = (try await bed.people(people), try await bed.thirdParties(thirdParties))
            try await bed.firstUploads(people)
            let each = people.count / thirdParties.count
            let asked = thirdParties.enumerated().map { ($1, Array(people[$0 * each..<($0 + 1) * each])) }
            let requests = try await bed.accepted(.subscription(), asked)
            try await ServiceTimes.waitForQuiet(bed)
            let all = try zip(requests, thirdParties).flatMap { requests, thirdParty in
                let token = try bed.token(of: thirdParty)
                return requests.map { ($0, token) }
            }
            let withdrawals = try zip(all, people).map { asked, person in
                Withdrawal(
                    stream: "/query/v1/requests/\(asked.0)/stream", streamToken: asked.1,
                    request: RequestText.make(
                        "POST", "/query/v1/me/requests/\(asked.0)/withdrawal", token: try bed.token(of: person)))
            }
            let (port, opened) = (bed.port(.query), EventCounter())
            let start = try ServiceTimes(bed)
            async let measured = BlockingPool.shared.run {
                Side.both.pin()
                defer { opened.raise() }
                return Result { try measure(withdrawals, port) { opened.raise() } }
            }
            _ = await opened.wait(after: 0)
            let length = before + Double(Self.withdrawals) / withdrawnEachSecond + after
            let (rates, tokens) = (HeartRates(count: 1, every: 1000), try bed.deviceTokens(people))
            async let load = bed.load(
                .ingestion, connections: connections, .open(rate: rate), for: .seconds(length), wanted: rates.stored
            ) { number, now in
                rates.upload(
                    now.microseconds + Int64(number), from: now, sentAt: now, token: tokens[number % tokens.count])
            }
            var outcome = try await measured.get()
            _ = try await load
            outcome.times = try ServiceTimes(bed).since(start)
            return outcome
        }
        report.note("\(outcome.bytes) bytes over \(people) streams; \(outcome.times)")
        report.note(
            "answers: p50 \(rounded(outcome.answers.percentile(0.5) / 1000)) ms, p99 \(rounded(outcome.answers.percentile(0.99) / 1000)) ms"
        )
        if !outcome.example.isEmpty { report.note("after an answer came: \(outcome.example)") }
        report.add(
            "bytes of somebody's data after the answer to a withdrawal, of \(withdrawals)", Double(outcome.bytesAfter),
            "bytes", atMost: 0)
        report.add("the slowest answer to a withdrawal", outcome.slowest, "s", atMost: answerSecondsMax)
    }

    /// On one thread: reads all streams, sends the withdrawals, and looks at the stream of each as soon as its answer is here.
    private static func measure(
        _ people: [Withdrawal], _ port: UInt16, opened: () -> Void
    ) throws -> Outcome {
        let pool = try StreamPool(port: port)
        for person in people { try pool.open(person.stream, token: person.streamToken) }
        opened()
        var outcome = Outcome()
        let apart = people.count / withdrawals
        let start = Deadline.now()
        let first = before
        let end = before + Double(withdrawals) / withdrawnEachSecond + after
        var (next, underWay): (Int, [Int32: (number: Int, due: Double)]) = (0, [:])
        while seconds(since: start) < end || !underWay.isEmpty {
            let due = first + Double(next) / withdrawnEachSecond
            if next < withdrawals, seconds(since: start) >= due {
                let number = next * apart
                guard pool.streams[number].bytes >= flowingBytesMin else {
                    throw BenchError.failed("no data flows to a stream")
                }
                underWay[try pool.begin(people[number].request)] = (number, due)
                next += 1
            }
            for descriptor in try pool.wait(milliseconds: 1) {
                guard let (number, due) = underWay.removeValue(forKey: descriptor) else { continue }
                // First of all: what is in the stream now had left before the answer was here.
                try pool.endData(of: number)
                let took = seconds(since: start) - due
                let status = try pool.finish(descriptor)
                guard status == 200 else { throw BenchError.failed("a withdrawal was answered \(status)") }
                outcome.answers.add(microseconds: Int64(took * 1e6))
                outcome.slowest = max(outcome.slowest, took)
            }
            guard seconds(since: start) < end + 30 else { throw BenchError.failed("withdrawals are not answered") }
        }
        let withdrawn = pool.streams.filter { $0.bytesBefore != nil }
        let others = pool.streams.filter { $0.bytesBefore == nil }
        guard withdrawn.allSatisfy(\.isOver) else { throw BenchError.failed("a stream goes on after the withdrawal") }
        guard !others.contains(where: \.isOver) else { throw BenchError.failed("a stream of somebody else has ended") }
        outcome.bytes = pool.streams.reduce(0) { $0 + $1.bytes }
        outcome.bytesAfter = withdrawn.reduce(0) { $0 + $1.bytesAfter }
        outcome.example = withdrawn.first { $0.bytesAfter > 0 }.map { String(decoding: $0.after, as: UTF8.self) } ?? ""
        return outcome
    }
}
