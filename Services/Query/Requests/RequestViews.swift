import Domain
import HTTP
import Primitives

/// A request as the third party sees it in its history (REQ-12).
struct RequestForRequester: Encodable, Sendable {
    let id: UUID
    let state: ConsentRequest.State
    let mode: ConsentRequest.Mode
    /// What the requester called the individual.
    let individual: String
    let dataTypes: [DataType]
    let acceptedTypes: [DataType]?
    let from: Timestamp
    let to: Timestamp
    let granularity = RequestDraft.Granularity.raw
    let frequency = RequestDraft.Frequency.live
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
        individual = request.named
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

    var position: ListPosition { ListPosition(createdAt, id) }
}

/// The answer to a new request.
struct RequestCreated: Encodable, Sendable {
    let id: UUID
    let state: ConsentRequest.State
    let unavailableTypes: [DataType]
}

/// A request as the individual sees it: who asks or follows, what, why, since when and until when (REQ-10).
struct RequestForIndividual: Encodable, Sendable {
    enum Kind: String, Encodable {
        case request
        case checkIn = "check-in"
    }

    struct Requester: Encodable {
        let id: UUID
        let name: String
    }

    let id: UUID
    let kind: Kind
    /// Set for the check-in of a run.
    let runID: UUID?
    let state: ConsentRequest.State
    let mode: ConsentRequest.Mode
    let requester: Requester
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
    /// When the requester last received something.
    let lastReadAt: Timestamp?

    init(_ request: ConsentRequest, lastReadAt: Timestamp?) {
        id = request.id
        kind = request.runID == nil ? .request : .checkIn
        runID = request.runID
        state = request.state
        mode = request.mode
        requester = Requester(id: request.requesterID, name: request.requesterName)
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
        self.lastReadAt = lastReadAt
    }

    var position: ListPosition { ListPosition(createdAt, id) }
}
