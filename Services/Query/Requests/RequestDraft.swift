import Domain
import HTTP
import Primitives

/// A request as a third party sends it (REQ-01).
struct RequestDraft: Codable, Sendable {
    static let reasonLimits = TextLimits(charactersMax: 500, lines: .many)
    static let typesMax = 32

    enum Granularity: String, Codable, CaseIterable, Sendable {
        /// Each sample; the only one yet.
        case raw
    }

    enum Frequency: String, Codable, CaseIterable, Sendable {
        /// As data arrives; the only one yet.
        case live
    }

    var fiscalCode: FiscalCode?
    var email: EmailAddress?
    var dataTypes: [DataType]
    var from: Timestamp
    var to: Timestamp
    var mode: ConsentRequest.Mode
    var granularity: Granularity?
    var frequency: Frequency?
    var reason: String

    /// Errors: 422 with all that is wrong.
    func check(at now: Timestamp) throws(Problem) {
        var errors: [Problem.FieldError] = []
        func refuse(_ pointer: String, _ detail: String) {
            errors.append(.init(pointer: "/\(pointer)", detail: detail))
        }
        if (fiscalCode == nil) == (email == nil) { refuse("fiscal_code", "give exactly one of fiscal_code and email") }
        if dataTypes.isEmpty || dataTypes.count > Self.typesMax || Set(dataTypes).count != dataTypes.count {
            refuse("data_types", "name 1 to \(Self.typesMax) data types, each once")
        }
        if from >= to { refuse("to", "the period ends after it begins") }
        switch mode {
        case .once where to > now: refuse("mode", "a period that reaches into the future is a subscription")
        case .subscription where to <= now: refuse("mode", "a subscription reaches into the future")
        default: break
        }
        if let fault = Self.reasonLimits.fault(in: reason) { refuse("reason", fault.description) }
        guard errors.isEmpty else {
            throw Problem(.unprocessableContent, code: "invalid-request", detail: errors[0].detail, errors: errors)
        }
    }

    /// The one of fiscal code and address that is given.
    var named: String { fiscalCode?.description ?? email?.description ?? "" }
    /// The same for every spelling.
    var searched: String { fiscalCode.map { "fiscal-code \($0)" } ?? "email \(email?.normalized ?? "")" }
}
