import Domain
import Glibc
import HTTP
import JSON
import Primitives
import Service

/// `trackme-ingestion check-upload …`: what would be taken of an upload, for those who write what runs on devices. Nothing is
/// stored. Of the person it knows nothing: pauses, permissions and earlier uploads do not count.
enum CheckUploadCommand {
    static let name = "check-upload"
    static let summary =
        "FILE [--repeat N]: what would be taken of the JSON text of an upload, and the processor time that this takes"
    static let turnsMax = 1_000_000

    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// One line of JSON.
    struct Answer: Encodable, Sendable, Equatable {
        /// Samples that would be stored.
        let taken: Int
        /// The first `SampleValidator.refusedMax` that would not.
        let refused: [RefusedSample]
        let refusedCount: Int
        /// Members that this version does not know.
        let unknownMembers: Int
        /// Processor time of reading and checking the text once.
        let microseconds: Double
    }

    static func run(_ arguments: [String], say: (String) -> Void = { Console.say($0) }) throws {
        let (file, turns) = try parsed(arguments)
        let bytes = try SmallFile.read(file, bytesMax: UploadRoutes.bodyBytesMax)
        let answer = try answered(bytes, turns: turns)
        say(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
    }

    private static func answered(_ bytes: [UInt8], turns: Int) throws(Failure) -> Answer {
        do throws(Problem) { return try answer(bytes, turns: turns) } catch {
            // What a device is answered.
            let places = error.errors.map { "; \($0.pointer ?? ""): \($0.detail)" }.joined()
            throw Failure(description: "It is refused (\(error.code)): \(error.detail ?? error.title)\(places)")
        }
    }

    /// The text is looked at `turns` times.
    private static func answer(_ bytes: [UInt8], turns: Int) throws(Problem) -> Answer {
        let began = processorTime()
        var (checked, unknown) = try check(bytes)
        for _ in 1..<turns { (checked, unknown) = try check(bytes) }
        return Answer(
            taken: checked.batch.count, refused: checked.refused, refusedCount: checked.refusedCount,
            unknownMembers: unknown, microseconds: (processorTime() - began) * 1e6 / Double(turns))
    }

    private static func check(_ bytes: [UInt8]) throws(Problem) -> (SampleValidator, unknown: Int) {
        let (upload, unknown) = try UploadRoutes.read(bytes)
        _ = try UploadRoutes.checkedCount(of: upload.series)
        try UploadRoutes.check(sentAt: upload.sentAt)
        return (SampleValidator.validated(upload.series, clock: SampleClock(now: .now())), unknown)
    }

    static func parsed(_ arguments: [String]) throws(Failure) -> (file: String, turns: Int) {
        guard let file = arguments.first, !file.hasPrefix("-") else {
            throw Failure(description: "Say check-upload FILE [--repeat N].")
        }
        if arguments.count == 1 { return (file, 1) }
        guard arguments.count == 3, arguments[1] == "--repeat", let turns = Int(arguments[2]),
            (1...turnsMax).contains(turns)
        else { throw Failure(description: "After the file only --repeat N may stand, with N from 1 to \(turnsMax).") }
        return (file, turns)
    }

    /// Of this thread, in seconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
