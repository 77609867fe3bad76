import Contracts
import Primitives
import Reactor
import SimulatedPeople
import SuiteClient
import Synchronization

/// Loads the history of all but the demo people: accounts and devices by the hundred, then one upload per person, over
/// several connections. Everybody has one watch that measures little; of some it knows positions, too.
struct History {
    static let batchMax = min(250, Accounts.Provision.peopleMax)
    private static let workersPerLoop = 4
    /// Uploads of one worker at a time.
    private static let uploadsInFlight = 4
    private static let provisionMax: Duration = .seconds(300)
    /// Of so many people one has positions.
    private static let positionsOneOf = 10
    let suite: Suite
    let population: Population
    let days: [CalendarDate]

    func load() async throws {
        let secret = try suite.configuration.populationSecret()
        let first = min(DemoPeople.peopleCount, population.people.count)
        let progress = Progress("Uploading \(days.count) days", total: population.people.count - first)
        let queue = BatchQueue(first..<population.people.count, size: Self.batchMax)
        let tasks = suite.loops.loops.flatMap { loop in
            (0..<Self.workersPerLoop).map { _ in
                loop.throwingTask { while let batch = queue.next() { try await load(batch, secret, progress) } }
            }
        }
        var failure: (any Error)?
        for task in tasks {
            do { try await task.value } catch {
                // The others stop at once.
                queue.end()
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func load(_ batch: Range<Int>, _ secret: String, _ progress: Progress) async throws {
        let people = population.people[batch].map(\.provision)
        let provisioned = try await suite.call(
            Accounts.Provision.self, of: .accounts,
            .init(population: secret, people: people), within: Self.provisionMax
        ).people
        try expect(provisioned.count == batch.count, "accounts.provision answered for another number of people.")
        try await withThrowingTaskGroup { group in
            for lane in 0..<Self.uploadsInFlight {
                group.addTask {
                    for offset in stride(from: lane, to: batch.count, by: Self.uploadsInFlight) {
                        let index = batch.lowerBound + offset
                        // Number 1 for everybody: done again, it is a repeat.
                        try await API(suite, token: provisioned[offset].accessToken)
                            .upload(patiently: 1, series(of: index))
                        progress.add(1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func series(of index: Int) -> [SampleSeries] {
        population.people[index].wearer(index, through: days[0]...days[days.count - 1])
            .sparseHistory(days, positions: index.isMultiple(of: Self.positionsOneOf))
    }
}

extension SuiteConfiguration {
    /// Whoever knows it made the simulated people: the services answer nobody else for them.
    func populationSecret() throws(SuiteError) -> String {
        guard let file = populationSecretFile else {
            throw .local("simulator.json names no population_secret_file.")
        }
        let text = String(decoding: try File.read(file, bytesMax: 1000), as: UTF8.self)
        return String(text.prefix { !$0.isWhitespace })
    }
}

extension API {
    /// While a service starts or is busy.
    private static let triesMax = 20

    /// Uploads as a device; nothing may be refused.
    func upload(patiently number: Int, _ series: [SampleSeries]) async throws(SuiteError) {
        guard !series.isEmpty else { return }
        let upload = Upload(upload: number, sentAt: .now(), series: series)
        for attempt in 1...Self.triesMax {
            do throws(SuiteError) {
                let receipt = try await self.upload(upload)
                try expect(receipt.refused.isEmpty, "A simulated sample was refused: \(receipt.refused)")
                return
            } catch {
                // Broken off and gone on with on another day: the history that is there stays.
                if error.code == "upload-conflict" { return }
                guard error.isPassing, attempt < Self.triesMax else { throw error }
                try await pause(for: .milliseconds(100 * attempt))
            }
        }
    }
}

/// Hands out ranges of indices, each once. From any thread.
private final class BatchQueue: Sendable {
    private let count: Int
    private let size: Int
    private let begun: Mutex<Int>

    init(_ range: Range<Int>, size: Int) {
        count = range.upperBound
        begun = Mutex(range.lowerBound)
        self.size = size
    }

    func next() -> Range<Int>? {
        begun.withLock { begun in
            guard begun < count else { return nil }
            defer { begun = min(count, begun + size) }
            return begun..<min(count, begun + size)
        }
    }

    func end() { begun.withLock { $0 = count } }
}
