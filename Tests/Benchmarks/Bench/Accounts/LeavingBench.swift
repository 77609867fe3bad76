import Contracts
import Domain
import LoadGenerator
import Primitives
import ProcessTesting
import Reactor
import SuiteClient

/// Somebody who has a year of data, from watches and phones that measured every 30 s, takes everything along and leaves: the time
/// from the request to the archive and to the receipt, and the memory that the services need at most.
enum LeavingBench {
    private static let password = "quattro-passi-al-lago"
    private static let days = 365
    /// A device may send less than a year in an hour: half of it came from those that were replaced.
    private static let pairs = 2
    private static let patience = Duration.seconds(120)
    private static let pause = Duration.milliseconds(20)

    private struct Outcome: Sendable {
        var samples = 0
        var exportSeconds = 0.0
        var archiveBytes = 0
        var erasureSeconds = 0.0
        /// Of accounts in MB, once the archive is handed over.
        var afterwards = 0.0
        /// In MB: before the export, and at most until it was ready.
        var memory: [(service: ServiceName, before: Double, peak: Double)] = []
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await ServicesBed.with(ServiceName.allCases) { bed in
            try await bed.withSuite { try await measure(bed, $0) }
        }
        report.note("\(outcome.samples) samples; archive of \(rounded(Double(outcome.archiveBytes) / 1e6)) MB")
        for (service, before, peak) in outcome.memory {
            report.note("\(service): \(rounded(before)) MB before, at most \(rounded(peak)) MB")
        }
        report.note("accounts after handing it over: \(rounded(outcome.afterwards)) MB")
        report.add("export of a year", outcome.exportSeconds, "s", atMost: 10)
        report.add(
            "memory of the service that needs most", outcome.memory.map(\.peak).max() ?? .infinity, "MB", atMost: 64)
        report.add("erasure of a year, from request to receipt", outcome.erasureSeconds, "s", atMost: 10)
    }

    private static func measure(_ bed: ServicesBed, _ suite: Suite) async throws -> Outcome {
        var outcome = Outcome()
        var newcomers = Newcomers()
        let api = API(suite)
        let person = try await Individual.register(
            newcomers.person(birthYears: 1950...1960), password: password, api: api,
            mailbox: Mailbox(directory: suite.configuration.mailDirectory))
        outcome.samples = try await load(person, bed)
        try await bed.closeDays(sealing: 1)
        // As they are on a day on which nobody sends a year.
        for service in ServiceName.allCases {
            bed[service].kill()
            try await bed[service].start()
            try await bed[service].waitUntilReady()
        }

        let before = try memory(bed)
        var start = Deadline.now()
        let export = try await person.api.patient.beginExport()
        try await wait { try await person.api.exports().first { $0.exportID == export.exportID }?.state == "ready" }
        outcome.exportSeconds = seconds(since: start)
        outcome.memory = zip(before, try memory(bed)).map { ($0.service, $0.memory.now, $1.memory.peak) }
        outcome.archiveBytes = try await person.api.exportArchive(export.exportID, password: password).count
        // Checking the password took 128 MiB (scrypt), which are gone by now.
        outcome.afterwards = try ProcessMemory(of: try bed.process(.accounts)).now

        start = .now()
        let begun = try await person.api.erase(password: password)
        try await wait { try await api.erasureReceipt(begun.receiptToken).completedAt != nil }
        outcome.erasureSeconds = seconds(since: start)
        return outcome
    }

    private static func memory(_ bed: ServicesBed) throws -> [(service: ServiceName, memory: ProcessMemory)] {
        try ServiceName.allCases.map { ($0, try ProcessMemory(of: try bed.process($0))) }
    }

    private static func wait(until holds: () async throws -> Bool) async throws {
        let deadline = Deadline.after(patience)
        while try await !holds() {
            guard !deadline.hasPassed else { throw BenchError.failed("it was not done within \(patience)") }
            try await EventLoop.current?.sleep(for: pause)
        }
    }

    /// Returns how many samples there are.
    private static func load(_ person: Individual, _ bed: ServicesBed) async throws -> Int {
        var devices: [UUID] = []
        for _ in 0..<pairs {
            for name in ["Watch", "Phone"] {
                devices.append(try await person.pairDevice(name: name, types: DataType.allCases).id)
            }
        }
        let (key, port, account, all) = (try bed.key, bed[.ingestion].httpPort, person.id, devices)
        let today = Timestamp.now().dateUTC
        return try await BlockingPool.shared.run {
            Result {
                var samples = 0
                for pair in 0..<pairs {
                    let tokens = try DeviceTokens(
                        of: account,
                        devices: Array(all[pair * DaySource.devicesEach..<(pair + 1) * DaySource.devicesEach]),
                        key: key)
                    let some = (1...days).filter { $0 % pairs == pair }.reversed().map { today.adding(days: -$0) }
                    let source = DaySource(some, tokens: tokens, host: "127.0.0.1:\(port)")
                    let runner = try LoadRunner(host: "127.0.0.1", port: port, connections: 2, source: source)
                    let result = try runner.run(.closed, for: .requests(source.uploads))
                    guard result.good == source.uploads else {
                        throw BenchError.failed("\(result.refused) refused, \(result.broken) lost: \(result.example)")
                    }
                    samples += source.samples
                }
                return samples
            }
        }.get()
    }
}
