import Contracts
import Domain
import Primitives

/// A request for one individual's data, and the consent that answers it.
struct ConsentRequest: Sendable, Equatable {
    typealias State = Query.ConsentChange.State

    enum Mode: String, Codable, CaseIterable, Sendable {
        /// Data of the past.
        case once
        /// Data of a period that reaches into the future (REQ-01).
        case subscription
    }

    /// What samples are given as (SUB-01).
    enum Granularity: String, Codable, CaseIterable, Sendable {
        /// Each sample.
        case raw
        /// One value for each: the mean of rates, the sum of counters.
        case minute, hour, day, week
    }

    let id: UUID
    let requesterID: UUID
    let individualID: UUID
    /// Set for the check-in of a run.
    let runID: UUID?
    let mode: Mode
    var granularity = Granularity.raw
    /// Of a subscription.
    var frequency: UpdateFrequency?
    /// What was asked for and was available.
    let types: [DataType]
    let from: Timestamp
    /// The period's end, not included.
    let to: Timestamp
    let reason: String
    let requesterName: String
    /// Of the organiser, for the check-in of a run (RUN-08).
    var requesterEmail: String?
    /// Of an organiser that is a company, for the check-in of a run (RUN-08).
    var requesterVATNumber: String?
    /// What the requester called the individual.
    let named: String
    let createdAt: Timestamp
    let lapsesAt: Timestamp
    var state = State.pending
    /// Counts the states.
    var version: Int32 = 1
    var decidedAt: Timestamp?
    var acceptedTypes: [DataType]?
    /// When an acceptance ends by itself: what was measured before `to` can be fetched until then.
    var accessUntil: Timestamp?
    var closedAt: Timestamp?

    /// What the feed `query.consents` tells.
    var change: Query.ConsentChange {
        Query.ConsentChange(
            requestID: id, individualID: individualID, requesterID: requesterID, runID: runID, state: state,
            types: acceptedTypes ?? types, until: accessUntil)
    }
}
