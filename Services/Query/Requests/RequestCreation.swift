import Contracts
import Domain
import HTTP
import Primitives
import RPC

/// Makes a third party's request from what it sends: finds the individual and what there is of the data.
struct RequestCreation: Sendable {
    let life: RequestLife
    let search: SearchLimit
    let accounts: any RPCCaller
    let ingestion: any RPCCaller
    let clock: any WallClock
    let settings: RequestSettings

    struct Created: Sendable {
        let request: ConsentRequest
        let unavailable: [DataType]
    }

    /// Errors: 422 for what is wrong with the draft, 429 for guessing, 404 `no-such-individual` (REQ-02), 409
    /// `no-data-available` (REQ-03), 409 `open-request-exists` (REQ-09).
    func create(_ draft: RequestDraft, by requester: UUID) async throws -> Created {
        let now = clock.now()
        try draft.check(at: now)
        let individual = try await find(draft, for: requester, at: now)
        let available = try await available(of: individual)
        let types = draft.dataTypes.filter(available.contains)
        guard !types.isEmpty else {
            throw Problem(
                .conflict, code: "no-data-available", detail: "none of the requested data types is available")
        }
        let profile = try await accounts.call(
            Accounts.Profile.self, .init(accountID: requester, purpose: "request"))
        guard let company = profile.company else {
            throw Problem(.forbidden, code: "forbidden", detail: "only companies ask for other people's data")
        }
        let request = ConsentRequest(
            id: .timeOrdered(at: now), requesterID: requester, individualID: individual, runID: nil, mode: draft.mode,
            types: types, from: draft.from, to: draft.to, reason: draft.reason, requesterName: company.name,
            named: draft.named, createdAt: now, lapsesAt: now + settings.lapse)
        try await life.create(request, notice: .request(request))
        return Created(request: request, unavailable: draft.dataTypes.filter { !available.contains($0) })
    }

    private func find(_ draft: RequestDraft, for requester: UUID, at now: Timestamp) async throws -> UUID {
        let attempt = try await search.begin(draft.searched, by: requester, at: now)
        let found: Result<UUID, RPCError>
        do throws(RPCError) {
            found = .success(
                try await accounts.call(
                    Accounts.Find.self,
                    .init(
                        fiscalCode: draft.fiscalCode, email: draft.email, purpose: "request", onBehalfOf: requester)
                ).accountID)
        } catch {
            found = .failure(error)
        }
        if case .failure(let error) = found, error.code == .notFound {
            throw Problem(
                .notFound, code: "no-such-individual",
                detail: "no individual is registered with this fiscal code or e-mail address")
        }
        try await search.succeeded(attempt)
        return try found.get()
    }

    /// What is collected of the individual at all. When it was measured is told only after consent (REQ-03).
    private func available(of individual: UUID) async throws(RPCError) -> Set<DataType> {
        Set(try await ingestion.call(Ingestion.Types.self, .init(accountID: individual)).types)
    }
}
