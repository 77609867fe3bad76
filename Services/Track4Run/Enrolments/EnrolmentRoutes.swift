import HTTP
import Primitives
import Security
import Service

/// `/track4run/v1/runs/:run/enrolments`: for the runner (RUN-06, RUN-07).
struct EnrolmentRoutes: Sendable {
    let enrolling: Enrolling
    let runs: RunRoutes
    let authenticator: Authenticator

    func add(to routes: inout ServiceRoutes) {
        let path = "\(RunRoutes.prefix)/runs/:run/enrolments"
        routes.on(.post, path) { try await enrol($0) }
        routes.on(.delete, path) { try await leave($0) }
    }

    private struct Acceptance: Decodable {
        let clausesAccepted: Bool
    }

    private struct Enrolled: Encodable {
        let bib: Int
    }

    private func enrol(_ request: HTTPRequest) async throws -> HTTPResponse {
        let runner = try await authenticator.require(request, kinds: [.individual])
        let run = try await runs.find(try request.parameter("run"))
        let acceptance: Acceptance = try request.json()
        let bib = try await enrolling.enrol(
            runner.account, in: run.id, clausesAccepted: acceptance.clausesAccepted)
        return try .json(Enrolled(bib: bib), status: .created)
    }

    private func leave(_ request: HTTPRequest) async throws -> HTTPResponse {
        let runner = try await authenticator.require(request, kinds: [.individual])
        try await enrolling.leave(runner.account, run: try await runs.find(try request.parameter("run")).id)
        return .noContent
    }
}
