import Domain
import Service
import Edge
import HTTP
import Primitives
import Telemetry

/// What a third party sends to ask several people on the same terms.
struct BatchDraft: Decodable, Sendable {
    var people: [BatchPerson]
    var terms: AskedTerms

    private enum CodingKeys: CodingKey { case people }

    init(from decoder: any Decoder) throws {
        people = try decoder.container(keyedBy: CodingKeys.self).decode([BatchPerson].self, forKey: .people)
        terms = try AskedTerms(from: decoder)
    }

    /// Errors: 422 with all that is wrong with the terms, or the list as a whole.
    func check(at now: Timestamp, _ settings: RequestSettings) throws(Problem) {
        var errors: [Problem.FieldError] = []
        if people.isEmpty || people.count > RequestBatch.peopleMax {
            errors.append(.init(pointer: "/people", detail: "name 1 to \(RequestBatch.peopleMax) people"))
        }
        for (index, person) in people.prefix(RequestBatch.peopleMax).enumerated() {
            for (name, text) in [("fiscal_code", person.fiscalCode), ("email", person.email)]
            where text?.count ?? 0 > BatchPerson.charactersMax {
                errors.append(
                    .init(
                        pointer: "/people/\(index)/\(name)",
                        detail: "has at most \(BatchPerson.charactersMax) characters"))
            }
        }
        try AskedTerms.refuse(errors + terms.faults(at: now, settings))
    }
}

/// One of several people, as they are named: what is wrong with one name is told at its place, and keeps nobody else waiting.
struct BatchPerson: Decodable, Sendable {
    static let charactersMax = 254

    var fiscalCode: String?
    var email: String?

    /// Errors: 422.
    func checked() throws(Problem) -> NamedPerson {
        var person = NamedPerson()
        do throws(FiscalCode.Failure) {
            if let fiscalCode { person.fiscalCode = try FiscalCode(validating: fiscalCode) }
        } catch { throw Self.fault(error.description) }
        do throws(EmailAddress.Failure) {
            if let email { person.email = try EmailAddress(validating: email) }
        } catch { throw Self.fault(error.description) }
        guard person.isOneOfTwo else { throw Self.fault(NamedPerson.oneOfTwo) }
        return person
    }

    static func fault(_ detail: String) -> Problem {
        Problem(.unprocessableContent, code: "invalid-request", detail: detail)
    }
}

/// What came of one of them: what a request by itself would have been answered.
struct BatchItem: Codable, Sendable, Equatable {
    let status: UInt16
    /// Of a request that was created; so are the state, the types that are not available, and what the acceptance costs.
    var id: UUID?
    var state: ConsentRequest.State?
    var unavailableTypes: [DataType]?
    var price: Price?
    /// Of a problem; so is the detail.
    var code: String?
    var detail: String?

    init(_ created: RequestCreation.Created) {
        let answer = created.answer
        status = HTTPStatus.created.rawValue
        (id, state, unavailableTypes, price) = (answer.id, answer.state, answer.unavailableTypes, answer.price)
    }

    init(_ problem: Problem) {
        status = problem.status.rawValue
        (code, detail) = (problem.code, problem.detail)
    }

    init(_ outcome: Result<RequestCreation.Created, any Error>, log: Log) {
        switch outcome {
        case .success(let created): self.init(created)
        case .failure(let error): self.init(Problem(error, log: log))
        }
    }

    /// Whether it would be so again: not what a limit, a neighbour or the time has refused.
    var isFinal: Bool { status < 500 && status != HTTPStatus.tooManyRequests.rawValue }
}

/// One entry for each of the people, in their order.
struct BatchAnswer: Encodable, Sendable {
    let items: [BatchItem]
}
