import Glibc
import HTTP
import Primitives
import ProcessTesting
import Reactor
import Security
import Synchronization
import Testing

@testable import Dispatcher

/// The guide for an ambulance service's engineer does what it says, in another language.
@Suite struct GuideTests {
    private static let guide =
        #filePath.split(separator: "/").dropLast(5).map { "/\($0)" }.joined() + "/Services/Dispatcher/Hooks/README.md"

    @Test(
        "NFR-09 SOS-06ac SOS-07b SOS-13a: the guide's example in Python passes the conformance kit as it stands there")
    func python() async throws {
        let python = String(
            cString: try #require(
                getenv("TRACKME_TEST_FORMS"), "TRACKME_TEST_FORMS is not set: run deploy/test, which sets it"))
        let text = String(decoding: try SmallFile.read(Self.guide, bytesMax: 1 << 20), as: UTF8.self)
        let block = try #require(text.split(separator: "```python\n").dropFirst().first)
        let program = try #require(block.split(separator: "\n```\n").first)
        let secret = WebhookSecret.random()
        try await EventLoopGroup.withLoops(2) { loops in
            try await TestDirectory.with { directory in
                let words = [
                    python, "-B", try directory.write("receiver.py", String(program)),
                    // The other side has the old one still, or the new one already.
                    try directory.write("secret", "\(WebhookSecret.random().text)\n\(secret.text)\n"),
                    directory.file("incidents.db"), "0",
                    "no-vehicle",
                ]
                let receiver = try await ChildProcess.start(words, output: directory.file("said"))
                defer { receiver.end() }
                var port: UInt16?
                let deadline = Deadline.after(.seconds(60))
                while port == nil, !deadline.hasPassed {
                    try await EventLoop.current?.sleep(for: .milliseconds(20))
                    let line = (try? directory.read("said"))?.split(separator: "\n").first {
                        $0.hasPrefix("listening ")
                    }
                    port = line.flatMap { UInt16($0.dropFirst(10)) }
                }
                let said = (try? directory.read("said")) ?? ""
                let url = HTTPURL("http://127.0.0.1:\(try #require(port, "\(said)"))/incidents")
                var settings = ConformanceSettings(url: url, secrets: [secret])
                settings.times.answerMax = .seconds(10)
                settings.times.acceptanceMax = .seconds(30)
                settings.times.quiet = .seconds(2)
                let lines = Mutex<[String]>([])
                let report = try await ConformanceKit.run(settings, on: loops) { line in
                    lines.withLock { $0.append(line) }
                }
                let told = lines.withLock { $0.joined(separator: "\n") }
                #expect(report.failures.isEmpty, "\(told)")
                #expect(report.passed.count == ConformanceCase.allCases.count)
                #expect(report.seen == [.acceptance, .rejection, .received], "\(report.answers)")
            }
        }
    }
}
