import Glibc
import HTTP
import LoadGenerator
import Primitives
import ProcessTesting
import Reactor
import Security

/// An Apple Health export of 1 GB over HTTP, in several requests as a phone sends it, until all of it is stored: time, and the
/// memory that the service needs at most.
enum ImportBench {
    private static let bytes = 1_000_000_000
    private static let requestBytes = 16 << 20
    private static let patience = Duration.seconds(600)

    struct Status: Decodable, Sendable {
        struct Report: Decodable, Sendable { let taken: [String: Int] }
        let id: UUID
        let state: String
        let report: Report
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await IngestionBed.with { (bed) -> Outcome in
            guard let process = bed.ingestion.processID, let loop = EventLoop.current else {
                throw BenchError.failed("ingestion does not run")
            }
            let session = PersonSession(on: loop, bed, seed: LoadBed.seed)
            defer { session.close() }
            let before = try ProcessMemory(of: process).peak
            let start = Deadline.now()
            let (received, status) = try await send(HealthExport(seed: LoadBed.seed), bytes, session)
            let elapsed = seconds(since: start)
            return Outcome(
                seconds: elapsed, receivedSeconds: received, samples: status.report.taken.values.reduce(0, +),
                before: before, peak: try ProcessMemory(of: process).peak)
        }
        report.note(
            "\(outcome.samples) samples; received after \(rounded(outcome.receivedSeconds)) s; the service had "
                + "\(rounded(outcome.before)) MB before")
        report.add("Apple Health export of 1 GB, sent until all is stored", outcome.seconds, "s", atMost: 60)
        report.add("memory of the service at most while it is", outcome.peak, "MB", atMost: 100)
    }

    private struct Outcome: Sendable {
        let seconds: Double
        let receivedSeconds: Double
        let samples: Int
        let before: Double
        let peak: Double
    }

    /// Sends a file and waits until it is read. Returns how long receiving took.
    static func send(
        _ export: HealthExport, _ bytes: Int, _ session: PersonSession
    ) async throws -> (Double, Status) {
        let start = Deadline.now()
        var export = export
        let begun = try await session.call(.post, "/imports", ["Upload-Complete": "?0"])
        guard begun.status == .created, let path = begun.fields["Location"]?.split(separator: "/").last else {
            throw BenchError.failed("an import was answered with \(begun.status): \(begun.text)")
        }
        var offset = 0
        while offset < bytes {
            let isLast = offset + requestBytes >= bytes
            let body = export.next(bytes: requestBytes, isLast: isLast)
            let answer = try await session.call(
                .patch, "/imports/\(path)",
                [
                    "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
                    "Upload-Complete": isLast ? "?1" : "?0",
                ], body)
            guard answer.status == (isLast ? .accepted : .noContent) else {
                throw BenchError.failed("a part was answered with \(answer.status): \(answer.text)")
            }
            offset += body.count
        }
        let received = seconds(since: start)
        return (received, try await waitUntilRead(String(path), session))
    }

    /// Waits until a file that was sent is read.
    static func waitUntilRead(_ id: String, _ session: PersonSession) async throws -> Status {
        let deadline = Deadline.after(patience)
        while true {
            let status = try await session.call(.get, "/imports/\(id)").json(Status.self)
            if status.state == "done" { return status }
            guard !deadline.hasPassed else { throw BenchError.failed("the import is not done") }
            try await EventLoop.current?.sleep(for: .milliseconds(100))
        }
    }
}
