import JSON
import Primitives
import ProcessTesting
import Reactor
import Testing

@testable import Ingestion

@Suite struct CheckUploadCommandTests {
    private struct Answer: Decodable, Equatable {
        struct Refused: Decodable, Equatable {
            let series: Int
            let index: Int?
            let reason: String
        }

        let taken: Int
        let refused: [Refused]
        let refusedCount: Int
        let unknownMembers: Int
        let microseconds: Double
    }

    private func said(_ text: String, _ options: String...) async throws -> String {
        try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let file = try directory.write("upload.json", text)
                var lines: [String] = []
                try CheckUploadCommand.run([file] + options) { lines.append($0) }
                return lines.joined(separator: "\n")
            }
        }
    }

    @Test("ING-02b: the command says what would be taken of an upload, and what not and why")
    func judges() async throws {
        let time = Timestamp.now() - .seconds(60)
        let text = """
            {"upload": 1, "sent_at": "\(Timestamp.now())", "battery": 0.5, "series": [
              {"type": "heart-rate", "start": "\(time)", "offsets_ms": [0, 1000, 2000], "values": [60, 900, null]},
              {"type": "aura", "start": "\(time)", "offsets_ms": [0], "values": [1]}]}
            """
        let answer = try JSONDecoder().decode(Answer.self, from: Array(try await said(text, "--repeat", "3").utf8))
        #expect(answer.taken == 1)
        #expect(answer.refusedCount == 3)
        #expect(answer.refused.map(\.index) == [1, 2, nil])
        #expect(answer.refused.map(\.series) == [0, 0, 1])
        #expect(answer.unknownMembers == 1)
        #expect(answer.microseconds > 0)
    }

    @Test("What would be refused altogether ends the command with the reason and the place")
    func refuses() async throws {
        let texts = [
            ("{", "invalid-json"),
            (#"{"upload": 1, "sent_at": "yesterday", "series": []}"#, "/sent_at"),
            (#"{"upload": 1, "sent_at": "1960-01-01T00:00:00Z", "series": []}"#, "sent-at-out-of-range"),
        ]
        for (text, words) in texts {
            do {
                Issue.record("taken: \(try await said(text))")
            } catch let failure as CheckUploadCommand.Failure {
                #expect(failure.description.contains(words))
            }
        }
    }

    @Test(
        "Mistakes in the command's arguments are said",
        arguments: [
            [], ["--repeat"], ["a", "b"], ["a", "--repeat", "0"], ["a", "--repeat", "1000001"], ["a", "-n", "1"],
        ])
    func arguments(_ arguments: [String]) {
        #expect(throws: CheckUploadCommand.Failure.self) { try CheckUploadCommand.parsed(arguments) }
    }
}
