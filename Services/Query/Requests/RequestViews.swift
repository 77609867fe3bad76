import Domain
import Service
import Primitives

/// What both sides see of a request: what was asked for and granted, and how it stands.
struct RequestTerms: Encodable, Sendable {
    let id: UUID
    let state: ConsentRequest.State
    let mode: ConsentRequest.Mode
    let granularity: ConsentRequest.Granularity
    /// Of a subscription.
    let frequency: UpdateFrequency.Word?
    /// Of the frequency `interval`.
    let everyMinutes: Int?
    let dataTypes: [DataType]
    let acceptedTypes: [DataType]?
    let from: Timestamp
    let to: Timestamp
    let reason: String
    let createdAt: Timestamp
    let lapsesAt: Timestamp
    let decidedAt: Timestamp?
    let accessUntil: Timestamp?
    let closedAt: Timestamp?

    init(_ request: ConsentRequest) {
        id = request.id
        state = request.state
        mode = request.mode
        granularity = request.granularity
        frequency = request.frequency?.word
        everyMinutes = request.frequency?.everyMinutes
        dataTypes = request.types
        acceptedTypes = request.acceptedTypes
        from = request.from
        to = request.to
        reason = request.reason
        createdAt = request.createdAt
        lapsesAt = request.lapsesAt
        decidedAt = request.decidedAt
        accessUntil = request.accessUntil
        closedAt = request.closedAt
    }
}

/// A request as one side sees it: its terms, and members for that side alone beside them in one object.
struct RequestView<Own: Encodable & Sendable>: Encodable, Sendable {
    let terms: RequestTerms
    let own: Own

    func encode(to encoder: any Encoder) throws {
        try terms.encode(to: encoder)
        try own.encode(to: encoder)
    }
}

/// What only the third party sees, in its history (REQ-12).
struct RequesterMembers: Encodable, Sendable {
    /// What the requester called the individual.
    let individual: String
    /// Of the accepted types those of which nothing comes any more, as it was told (SUB-04); absent when there are none.
    let unavailableTypes: [DataType]?
    /// What the acceptance costs; absent when nothing (PAY-01).
    let price: Price?
    /// What is due or paid, once the request is accepted.
    let payment: RequestPayment.Payment?
}

/// What only the individual sees: who asks or follows, and since when (REQ-10).
struct IndividualMembers: Encodable, Sendable {
    enum Kind: String, Encodable {
        case request
        case checkIn = "check-in"
    }

    struct Requester: Encodable {
        let id: UUID
        let name: String
        /// Set for a check-in: the organiser's (RUN-08).
        let email: String?
        /// Set for the check-in of a run that a company organises (RUN-08).
        let vatNumber: String?
    }

    let kind: Kind
    /// Set for the check-in of a run.
    let runID: UUID?
    let requester: Requester
    /// When the requester last received something.
    let lastReadAt: Timestamp?
}

typealias RequestForRequester = RequestView<RequesterMembers>

extension RequestForRequester {
    init(_ request: ConsentRequest, unavailable: [DataType]? = nil, _ payment: RequestPayment? = nil) {
        self.init(
            terms: RequestTerms(request),
            own: RequesterMembers(
                individual: request.named, unavailableTypes: unavailable, price: payment?.price,
                payment: payment?.payment))
    }
}

typealias RequestForIndividual = RequestView<IndividualMembers>

extension RequestForIndividual {
    init(_ request: ConsentRequest, lastReadAt: Timestamp?) {
        self.init(
            terms: RequestTerms(request),
            own: IndividualMembers(
                kind: request.runID == nil ? .request : .checkIn, runID: request.runID,
                requester: .init(
                    id: request.requesterID, name: request.requesterName, email: request.requesterEmail,
                    vatNumber: request.requesterVATNumber), lastReadAt: lastReadAt))
    }
}

/// The answer to a new request.
struct RequestCreated: Encodable, Sendable {
    let id: UUID
    let state: ConsentRequest.State
    let unavailableTypes: [DataType]
    /// What the acceptance costs; absent when nothing (PAY-01).
    let price: Price?
}
