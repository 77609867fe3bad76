import HTTP
import Postgres
import RPC
import Reactor
@testable import Edge
@testable import Service
import Testing

@Suite struct ProblemTests {
    private let sink = MemoryLogSink()
    private var log: Log { Log(service: "s", sink: sink) }

    @Test("NFR-03: what may pass is 503 with Retry-After")
    func temporary() {
        let errors: [any Error] = [
            RPCError(.overloaded), RPCError(.unavailable), RPCError(.deadline), PostgresError.overloaded,
            PostgresError.timedOut, PostgresError.connection(detail: "x"), PostgresError.outcomeUnknown(detail: "x"),
            PostgresError.server(ServerError(sqlState: .serializationFailure, message: "")),
            PostgresError.server(ServerError(sqlState: .queryCanceled, message: "")),
            PostgresError.server(ServerError(sqlState: .tooManyConnections, message: "")), IOError.limit("x"),
        ]
        for error in errors {
            let problem = Problem(error, log: log)
            #expect(problem.status == .serviceUnavailable, "\(error)")
            #expect(problem.retryAfter == .seconds(1), "\(error)")
        }
        #expect(sink.lines.isEmpty)
    }

    @Test("what a neighbour says is passed on under its own code")
    func neighbours() {
        let missing = Problem(RPCError(.notFound, "No such request.", domain: "query.no_request"), log: log)
        #expect(missing.status == .notFound)
        #expect(missing.code == "query-no-request")
        #expect(missing.detail == "No such request.")
        #expect(Problem(RPCError(.conflict), log: log).status == .conflict)
        #expect(Problem(RPCError(.notFound), log: log).code == "not-found")
        #expect(Problem(RPCError(.notAllowed, domain: "query.consent"), log: log).status == .forbidden)
        #expect(Problem(RPCError(.notAllowed), log: log) == .internalError)
        #expect(Problem(Problem.notFound, log: log) == .notFound)
    }

    @Test("NFR-06: anything else is 500, logged without values of rows")
    func unexpected() {
        let error = PostgresError.server(
            ServerError(
                sqlState: .uniqueViolation, message: "Key (email)=(ada@example.org)", constraint: "account_email_key"))
        #expect(Problem(error, log: log) == .internalError)
        #expect(sink.lines.count == 1)
        #expect(sink.lines[0].contains("23505") && sink.lines[0].contains("account_email_key"))
        #expect(!sink.lines[0].contains("example.org"))
    }
}
