import Domain
import HTTP
import Primitives

/// The one whose data is asked for, by exactly one of fiscal code and e-mail address (REQ-01).
struct NamedPerson: Decodable, Sendable {
    static let oneOfTwo = "give exactly one of fiscal_code and email"

    var fiscalCode: FiscalCode?
    var email: EmailAddress?

    /// The one of fiscal code and address that is given.
    var named: String { fiscalCode?.description ?? email?.description ?? "" }
    /// The same for every spelling.
    var searched: String { fiscalCode.map { "fiscal-code \($0)" } ?? "email \(email?.normalized ?? "")" }
    var isOneOfTwo: Bool { (fiscalCode == nil) != (email == nil) }
}

/// A request as a third party sends it (REQ-01): the person and the terms beside each other, in one object.
struct RequestDraft: Decodable, Sendable {
    var person: NamedPerson
    var terms: AskedTerms

    init(from decoder: any Decoder) throws {
        person = try NamedPerson(from: decoder)
        terms = try AskedTerms(from: decoder)
    }

    /// Errors: 422 with all that is wrong.
    func check(at now: Timestamp, _ settings: RequestSettings) throws(Problem) {
        var errors: [Problem.FieldError] = []
        if !person.isOneOfTwo { errors.append(.init(pointer: "/fiscal_code", detail: NamedPerson.oneOfTwo)) }
        try AskedTerms.refuse(errors + terms.faults(at: now, settings))
    }
}
