import HTTP
import Primitives
import Security
import Service

/// `/track4run/v1/runs/:run/enrolments`: for the runner (RUN-06, RUN-07).
struct EnrolmentRoutes: Sendable {
    let enrolling: Enrolling
    let runs: RunRoutes

    func add(to routes: inout ServiceRoutes) {
        let path = "\(RunRoutes.prefix)/runs/:run/enrolments"
        routes.on(.post, path, access: .logIn(.individual)) { try await enrol($0, $1.account) }
        routes.on(.delete, path, access: .logIn(.individual)) { try await leave($0, $1.account) }
    }

    private struct Acceptance: Decodable {
        let clausesAccepted: Bool
        let clauses: String?
    }

    private struct Enrolled: Encodable {
        let bib: Int
    }

    private func enrol(_ request: HTTPRequest, _ runner: UUID) async throws -> HTTPResponse {
        let run = try await runs.find(try request.parameter("run"))
        let acceptance: Acceptance = try request.json()
        let (bib, isNew) = try await enrolling.enrol(
            runner, in: run.id, accepting: acceptance.clauses, clausesAccepted: acceptance.clausesAccepted)
        return try .json(Enrolled(bib: bib), status: isNew ? .created : .ok)
    }

    private func leave(_ request: HTTPRequest, _ runner: UUID) async throws -> HTTPResponse {
        try await enrolling.leave(runner, run: try await runs.find(try request.parameter("run")).id)
        return .noContent
    }
}
