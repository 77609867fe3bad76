import Domain
import LoadGenerator
import Primitives
import Reactor

/// An emergency: whose, and when the upload that confirms it was due, on the monotonic clock.
struct Emergency: Sendable {
    let person: Int
    let due: Int64
}

/// What became of emergencies.
struct HandOvers: Sendable {
    /// For each of them, milliseconds from when the upload was due to the ambulance service's alert; `nil`: none has come.
    private(set) var milliseconds: [Double?]
    /// Alerts of a further incident of an emergency.
    private(set) var doubled = 0
    /// Alerts of people who had no emergency, or not yet.
    private(set) var unexpected = 0
    /// Incidents that were accepted.
    private(set) var accepted = 0
    private let emergencies: [Emergency]

    /// - `events`: what the ambulance service has noted since the first of them.
    init(of emergencies: [Emergency], _ events: [AmbulanceEvent]) {
        self.emergencies = emergencies
        milliseconds = Array(repeating: nil, count: emergencies.count)
        accepted = events.reduce(0) { $0 + ($1.name == "accepted" ? 1 : 0) }
        var ofPerson: [Int: [Int]] = [:]
        for (number, emergency) in emergencies.enumerated() { ofPerson[emergency.person, default: []].append(number) }
        var incidents: Set<String> = []
        for event in events where event.name == "alert" && incidents.insert(event.incident).inserted {
            let person = SOSBed.person(calledBackAt: event.phone)
            // They are in the order of their times.
            let number = person.flatMap { ofPerson[$0] }?.last { emergencies[$0].due <= event.at }
            guard let number else {
                unexpected += 1
                continue
            }
            guard milliseconds[number] == nil else {
                doubled += 1
                continue
            }
            milliseconds[number] = Double(event.at - emergencies[number].due) / 1e6
        }
    }

    var count: Int { milliseconds.count }
    var lost: Int { milliseconds.reduce(0) { $0 + ($1 == nil ? 1 : 0) } }

    /// Sorted, of those emergencies that count.
    func latencies(where counts: (Emergency) -> Bool = { _ in true }) -> Latencies {
        Latencies(zip(emergencies, milliseconds).compactMap { counts($0) ? $1 : nil })
    }

    /// What must be so at any load.
    func check(_ report: inout Report) {
        report.add("emergencies that no ambulance service was told of", Double(lost), "of \(count)", atMost: 0)
        report.add("emergencies that became several incidents", Double(doubled), "of \(count)", atMost: 0)
        report.note("accepted: \(accepted); alerts of others: \(unexpected)")
    }

    /// In milliseconds.
    struct Latencies: Sendable {
        private let sorted: [Double]

        init(_ values: [Double]) { sorted = values.sorted() }

        var count: Int { sorted.count }
        /// `infinity` of none: no bar is met by nothing.
        func value(at share: Double) -> Double { sorted.isEmpty ? .infinity : percentile(sorted, share) }
        var longest: Double { sorted.last ?? .infinity }

        var text: String {
            "\(count) emergencies, p50 \(rounded(value(at: 0.5))), p99 \(rounded(value(at: 0.99))), p99.9 "
                + "\(rounded(value(at: 0.999))), longest \(rounded(longest)) ms"
        }
    }
}

extension SOSBed {
    /// An emergency this soon after another one of the same person might be taken for the same.
    static let apartMin = Duration.seconds(45)

    /// Emergencies that were sent, and what was answered to their uploads.
    struct Sent: Sendable {
        var emergencies: [Emergency] = []
        var answers: [LoadResult] = []

        var text: String {
            let all = LoadResult(answers)
            let latency = all.latency
            return "\(all.good) uploads stored, \(all.refused) refused, \(all.broken) lost; answered after p50 "
                + "\(rounded(latency.percentile(0.5) / 1000)), p99.9 \(rounded(latency.percentile(0.999) / 1000)) ms"
        }
    }

    /// Lets people of a range have emergencies, one after the other at a rate, each by one upload that confirms it.
    /// - `each`: so many are sent at a time, until `isEnough` of all so far.
    /// - `mayFail`: the uploads need not be stored.
    func send(
        of range: Range<Int>, at places: [Coordinate], rate: Double, each: Int, connections: Int = 64,
        mayFail: Bool = false, until isEnough: @escaping @Sendable ([Emergency]) throws -> Bool = { _ in true }
    ) async throws -> Sent {
        let people = people
        return try await ingestion.load { bed in
            let source = UploadSource(
                .collapse(at: places), of: range, tokens: try bed.tokens(of: people), host: bed.authority)
            let runner = try bed.runner(source, connections: connections)
            var sent = Sent()
            repeat {
                let result = try runner.run(.open(rate: rate), for: .requests(each))
                guard mayFail || result.good == each else {
                    throw BenchError.failed(
                        "emergencies' uploads: \(result.good) of \(each) stored, \(result.refused) refused, "
                            + "\(result.broken) lost: \(result.example)")
                }
                let before = sent.emergencies.count
                for number in 0..<each {
                    let emergency = Emergency(
                        person: range.lowerBound + (before + number) % range.count,
                        due: result.beganAt + Int64(Double(number) / rate * 1e9))
                    if case let last = before + number - range.count, last >= 0,
                        emergency.due - sent.emergencies[last].due < Self.apartMin.nanoseconds
                    {
                        throw BenchError.failed("\(range.count) people are too few for \(rate) emergencies a second")
                    }
                    sent.emergencies.append(emergency)
                }
                sent.answers.append(result)
            } while try !isEnough(sent.emergencies)
            return sent
        }
    }

    /// What became of them, once all were handed over, or after this time.
    func handOvers(of sent: Sent, within time: Duration = .seconds(20)) async throws -> HandOvers {
        guard let first = sent.emergencies.first else { throw BenchError.failed("no emergencies") }
        // Reading what happened takes the processor, which is for the last ones.
        try await EventLoop.current?.sleep(for: .seconds(1))
        let deadline = Deadline.after(time)
        while true {
            let handOvers = HandOvers(of: sent.emergencies, try events(since: first.due))
            if handOvers.lost == 0 || deadline.hasPassed { return handOvers }
            try await EventLoop.current?.sleep(for: .milliseconds(200))
        }
    }

    // MARK: Nothing beside

    static let quietPeople = 250
    private static let quietRate = 25.0

    /// The first people have an emergency each, while nothing else goes on: what the rest of a run is compared with.
    func quiet() async throws -> HandOvers.Latencies {
        let sent = try await send(
            of: 0..<Self.quietPeople, at: Places.apart, rate: Self.quietRate, each: Self.quietPeople)
        let handOvers = try await handOvers(of: sent)
        guard handOvers.lost == 0, handOvers.doubled == 0 else {
            throw BenchError.failed(
                "with nothing beside it, of \(handOvers.count) emergencies \(handOvers.lost) were not handed over, "
                    + "\(handOvers.doubled) twice")
        }
        return handOvers.latencies()
    }

    /// Where emergencies are.
    enum Places {
        /// All over Italy, so that they are no mass event: 38 km and more from each other.
        static let apart: [Coordinate] = stride(from: 37.0, through: 46.0, by: 0.5).flatMap { latitude in
            stride(from: 7.0, through: 18.0, by: 0.5).compactMap { Coordinate(latitude: latitude, longitude: $0) }
        }
        /// In one place.
        static let together: [Coordinate] = [Coordinate(latitude: 45.4642, longitude: 9.19)].compactMap(\.self)
    }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
