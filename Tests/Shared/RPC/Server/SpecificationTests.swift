import JSON
import RPC
import Reactor
import Testing

/// The examples of section 7 of the JSON-RPC 2.0 specification, each on a connection of its own.
@Suite struct SpecificationTests {
    /// What is sent, and the answer's `id`, `result` or error code; `nil` where nothing comes back.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
        var answers: [Answer]
        var isBatch = false
    }

    struct Answer: Sendable, Hashable {
        let id: JSONValue
        var result: JSONValue?
        var error: Int64?

        init(_ id: JSONValue, _ result: JSONValue) {
            self.id = id
            self.result = result
        }

        init(_ id: JSONValue, error: Int64) {
            self.id = id
            self.error = error
        }

        init(_ json: JSONValue) {
            id = json["id"] ?? .string("absent")
            result = json["result"]
            error = json.errorCode
        }
    }

    static let examples: [Example] = [
        .init(
            testDescription: "positional parameters",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
            answers: [.init(.integer(1), .integer(19))]),
        .init(
            testDescription: "positional parameters, the other way round",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
            answers: [.init(.integer(2), .integer(-19))]),
        .init(
            testDescription: "named parameters",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
            answers: [.init(.integer(3), .integer(19))]),
        .init(
            testDescription: "named parameters in another order",
            sent: #"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
            answers: [.init(.integer(4), .integer(19))]),
        .init(
            testDescription: "a notification", sent: #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#,
            answers: []),
        .init(
            testDescription: "a notification of an unknown method", sent: #"{"jsonrpc": "2.0", "method": "foobar"}"#,
            answers: []),
        .init(
            testDescription: "an unknown method", sent: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            answers: [.init(.string("1"), error: -32601)]),
        .init(
            testDescription: "invalid JSON", sent: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            answers: [.init(.null, error: -32700)]),
        .init(
            testDescription: "an invalid request", sent: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            answers: [.init(.null, error: -32600)]),
        .init(
            testDescription: "a batch of invalid JSON",
            sent: #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]"#,
            answers: [.init(.null, error: -32700)]),
        .init(testDescription: "an empty batch", sent: "[]", answers: [.init(.null, error: -32600)]),
        .init(
            testDescription: "an invalid batch, not empty", sent: "[1]", answers: [.init(.null, error: -32600)],
            isBatch: true),
        .init(
            testDescription: "an invalid batch", sent: "[1,2,3]",
            answers: Array(repeating: .init(.null, error: -32600), count: 3), isBatch: true),
        .init(
            testDescription: "a batch",
            sent: """
                [{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},\
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},\
                {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},{"foo": "boo"},\
                {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},\
                {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]
                """,
            answers: [
                .init(.string("1"), .integer(7)), .init(.string("2"), .integer(19)), .init(.null, error: -32600),
                .init(.string("5"), error: -32601), .init(.string("9"), .array([.string("hello"), .integer(5)])),
            ], isBatch: true),
        .init(
            testDescription: "a batch of notifications",
            sent: """
                [{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},\
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]
                """, answers: []),
    ]

    @Test("the specification's examples", arguments: examples)
    func example(_ example: Example) async throws {
        try await TestServer.run { test in
            let connection = try await test.connect()
            try await connection.send(example.sent + "\n")
            try connection.stream.finishWriting()
            var answers: [Answer] = []
            if !example.answers.isEmpty {
                let line = try #require(try await connection.line())
                if case .array(let elements) = line {
                    #expect(example.isBatch)
                    answers = elements.map(Answer.init)
                } else {
                    #expect(!example.isBatch)
                    answers = [Answer(line)]
                }
                #expect(line["jsonrpc"] == (example.isBatch ? nil : .string("2.0")))
            }
            #expect(Set(answers) == Set(example.answers))
            #expect(answers.count == example.answers.count)
            #expect(await connection.isEnded())
        }
    }
}
