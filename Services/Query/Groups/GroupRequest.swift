import HTTP
import JSON
import Postgres
import Primitives
import Statistics

/// A question of a third party about a group, what it was answered, and how that is paid.
struct GroupRequest: Sendable {
    enum Outcome: String, Encodable, Sendable {
        case answered
        case tooFewPeople = "too-few-people"
    }

    /// Released values, and what the asker had left of the privacy budget then.
    struct Answer: Sendable {
        let buckets: JSONRaw
        let balance: JSONRaw
    }

    /// Whether the third party may have the answer.
    enum Access: Sendable {
        case given
        case due(Invoice)
        /// It was not paid in time.
        case over
    }

    let id: UUID
    let askedAt: Timestamp
    let question: JSONRaw
    /// `nil` when too few people match.
    let answer: Answer?
    /// `nil` of what is free.
    let invoiceID: UUID?
    /// A cancelled one may be deleted before the question.
    let invoice: Invoice?

    var outcome: Outcome { answer == nil ? .tooFewPeople : .answered }

    init(id: UUID, askedAt: Timestamp, _ answered: AnsweredQuestion, invoice: Invoice?) {
        self.id = id
        self.askedAt = askedAt
        question = answered.question
        answer = answered.buckets.map { Answer(buckets: $0, balance: answered.balance) }
        invoiceID = invoice?.id
        self.invoice = invoice
    }

    init(_ row: PostgresRow, _ invoices: [UUID: Invoice]) throws {
        func text(_ column: StaticString) throws -> JSONRaw? {
            try row.decode(column, as: [UInt8]?.self).map { try JSONRaw(validating: $0) }
        }
        id = try row["id"]
        askedAt = try row["asked_at"]
        question = try JSONRaw(validating: row.decode("question", as: [UInt8].self))
        if let buckets = try text("buckets"), let balance = try text("balance") {
            answer = Answer(buckets: buckets, balance: balance)
        } else {
            answer = nil
        }
        invoiceID = try row["invoice_id"]
        invoice = invoiceID.flatMap { invoices[$0] }
    }

    /// Without `asksForPayment`, where nothing costs anything now, what is due is no longer asked for.
    func access(asksForPayment: Bool) -> Access {
        guard invoiceID != nil else { return .given }
        guard let invoice, invoice.state != .cancelled else { return .over }
        return invoice.state == .due && asksForPayment ? .due(invoice) : .given
    }

    /// The same answer for no people, few, and 1000 (GRP-03).
    static let tooFew = Problem(
        .forbidden, code: "too-few-people", detail: "not enough people match for anything to be told about them")

    static let notPaidInTime = Problem(
        .gone, code: "not-paid-in-time",
        detail: "the answer was not paid in time, and nothing is owed; ask again to have it")
}

/// The answer to a question as its asker gets it; of one that is not paid, what is due in place of what was released.
struct GroupAnswer: Encodable, Sendable {
    let id: UUID
    let askedAt: Timestamp
    let buckets: JSONRaw?
    let balance: JSONRaw
    let payment: RequestPayment.Payment?

    /// Errors: 403 `too-few-people`.
    init(_ request: GroupRequest, asksForPayment: Bool) throws(Problem) {
        guard let answer = request.answer else { throw GroupRequest.tooFew }
        id = request.id
        askedAt = request.askedAt
        if case .given = request.access(asksForPayment: asksForPayment) {
            buckets = answer.buckets
        } else {
            buckets = nil
        }
        balance = answer.balance
        payment = asksForPayment ? request.invoice.map { .init($0) } : nil
    }
}

/// One question of the history (GRP-07).
struct GroupHistoryEntry: Encodable, Sendable {
    struct Answer: Encodable, Sendable {
        let id: UUID
        let askedAt: Timestamp
        let buckets: JSONRaw
        let balance: JSONRaw
    }

    let id: UUID
    let askedAt: Timestamp
    let question: JSONRaw
    let outcome: GroupRequest.Outcome
    /// Absent when too few people match, and of what is not paid.
    let answer: Answer?
    let payment: RequestPayment.Payment?

    init(_ request: GroupRequest, asksForPayment: Bool) {
        id = request.id
        askedAt = request.askedAt
        question = request.question
        outcome = request.outcome
        if case .given = request.access(asksForPayment: asksForPayment), let answer = request.answer {
            self.answer = Answer(id: id, askedAt: askedAt, buckets: answer.buckets, balance: answer.balance)
        } else {
            answer = nil
        }
        payment = asksForPayment ? request.invoice.map { .init($0) } : nil
    }
}
