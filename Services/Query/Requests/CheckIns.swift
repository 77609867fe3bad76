import Contracts
import Domain
import Primitives
import RPC

/// Check-ins of runs: a request on behalf of the organiser for position and all health parameters until the end of the
/// run, which lapses at the start (RUN-08, REQ-06). A private organiser gets the position alone (RUN-01).
struct CheckIns: Sendable {
    let life: RequestLife
    let accounts: any RPCCaller
    let clock: any WallClock

    /// Creates the request; the same id again has no effect. Errors: `not_found` for the runner, `invalid_params`.
    func request(_ params: Query.RequestCheckIn.Params) async throws -> Empty {
        let now = clock.now()
        guard now < params.start, params.start < params.end else {
            throw RPCError(.invalidParams, "A check-in is asked for before the start, and a run ends after it.")
        }
        let organiser = try await accounts.call(
            Accounts.Requester.self, .init(accountID: params.organiserID, purpose: "run"))
        let runner = try await accounts.call(
            Accounts.Name.self,
            .init(accountID: params.runnerID, purpose: "run", onBehalfOf: params.organiserID))
        guard runner.kind == .individual else { throw RPCError(.notFound, "There is no such runner.") }
        let isOfCompany = organiser.kind != .individual
        let request = ConsentRequest(
            id: params.id, requesterID: params.organiserID, individualID: params.runnerID, runID: params.runID,
            mode: .subscription, frequency: .live, types: isOfCompany ? DataType.allCases : [.position], from: now,
            to: params.end,
            reason: params.runName, requesterName: organiser.name, requesterEmail: organiser.email.description,
            requesterVATNumber: organiser.vatNumber?.description, named: "", createdAt: now,
            lapsesAt: params.start)
        try await life.create(request, notice: .checkIn(request))
        return Empty()
    }
}
