import JSON
import Reactor
import ReactorTesting
import Synchronization
import Telemetry
import Testing

/// The log of feeds, and a way to wait for a line.
final class Incidents: LogSink {
    struct Incident {
        let message: String

        var isSnapshotTaken: Bool { message == "feed snapshot taken" }
        var isGone: Bool { message == "feed gone, taking a snapshot" }
        var isParked: Bool { message == "feed event parked" }
        var isUnparked: Bool { message == "parked feed event applied" }
        var isInterrupted: Bool { message == "feed interrupted" }
        var isApplyFailed: Bool { message == "feed event not applied" }
        var isPassedOver: Bool { message == "feed consumer passed over" }
    }

    private let lines = Mutex<[[UInt8]]>([])
    private let signal = EventCounter()

    let metrics = Metrics()

    var observer: Observer { Observer(log: Log(service: "test", sink: self), metrics: metrics) }

    func write(_ line: [UInt8]) {
        lines.withLock { $0.append(line) }
        signal.raise()
    }

    var all: [Incident] {
        lines.withLock { $0 }.compactMap { line in
            guard case .string(let message) = try? JSONDecoder().decode(JSONValue.self, from: line)["message"] else {
                return nil
            }
            return Incident(message: message)
        }
    }

    func count(_ matches: (Incident) -> Bool) -> Int { all.count { matches($0) } }

    /// Waits until so many match.
    func wait(
        _ count: Int = 1, for matches: (Incident) -> Bool, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let deadline = Deadline.after(.patience)
        while true {
            let seen = signal.value
            if self.count(matches) >= count { return }
            guard !deadline.hasPassed else {
                Issue.record("not reported; reported were \(all)", sourceLocation: location)
                throw TestFeed.TimedOut()
            }
            _ = await signal.wait(after: seen, deadline: deadline)
        }
    }
}
