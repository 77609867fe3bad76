import Contracts
import LoadGenerator
import Reactor

/// The processor time that each service has used, PostgreSQL and this process: where a profile would begin.
struct ServiceTimes: Sendable {
    private static let quietShare = 0.1
    private static let quietMax = Duration.seconds(180)

    private let times: [(name: String, time: ProcessorTime)]
    private let stolen = ProcessorTime.stolenSeconds()
    private let at = Deadline.now()

    init(_ bed: DeliveriesBed) throws { try self.init(bed.services) }

    /// PostgreSQL is the bench's, not the one that some services may have apart.
    init(_ bed: ServicesBed) throws {
        var times = try bed.names.map { (name: "\($0)", time: try ProcessorTime(of: try bed.process($0))) }
        times.append(("PostgreSQL", try ProcessorTime(of: bed.postgres)))
        times.append(("bench", ProcessorTime.own()))
        self.times = times
    }

    /// What was used from `start` to here.
    func since(_ start: ServiceTimes) -> String {
        let parts = zip(start.times, times).map { before, now in "\(now.name) \(rounded(now.time - before.time)) s" }
        let seconds = elapsed(since: start)
        let lost = 100 * (stolen - start.stolen) / (2 * max(seconds, .leastNonzeroMagnitude))
        return "processor time in \(rounded(seconds)) s: \(parts.joined(separator: ", ")); "
            + "the host gave \(rounded(lost)) % of both cores to others"
    }

    private func elapsed(since start: ServiceTimes) -> Double {
        let (whole, part) = at.since(start.at).components
        return Double(whole) + Double(part) / 1e18
    }

    /// Waits until services and database have hardly anything left to do: mail about requests, say. Call on a loop.
    static func waitForQuiet(_ bed: DeliveriesBed) async throws { try await waitForQuiet(bed.services) }

    static func waitForQuiet(_ bed: ServicesBed) async throws {
        let deadline = Deadline.after(quietMax)
        var before = try ServiceTimes(bed)
        while !deadline.hasPassed {
            try await EventLoop.current?.sleep(for: .seconds(1))
            let now = try ServiceTimes(bed)
            let used = zip(before.times, now.times).dropLast().reduce(0) { $0 + ($1.1.time - $1.0.time) }
            if used <= quietShare * now.elapsed(since: before) { return }
            before = now
        }
        emit("      note: the services were still busy \(quietMax) after the preparation")
    }
}
