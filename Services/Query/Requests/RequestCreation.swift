import Contracts
import Domain
import HTTP
import Primitives
import RPC
import Service

/// Creates a third party's request: finds the individual and which of the data are collected.
struct RequestCreation: Sendable {
    let life: RequestLife
    let audit: AuditTrail
    let search: SearchLimit
    let accounts: any RPCCaller
    let ingestion: any RPCCaller
    let clock: any WallClock
    let settings: RequestSettings

    struct Created: Sendable {
        let request: ConsentRequest
        let unavailable: [DataType]
    }

    /// Every look-up counts as a try, whatever it finds (REQ-02), and is written to the log of the person found before
    /// anything about the person is answered (REQ-03, REQ-11). Errors: 422 for a draft with faults, 429 for guessing,
    /// 404 `no-such-individual` (REQ-02), 409 `no-data-available` (REQ-03), 409 `open-request-exists` (REQ-09).
    func create(_ draft: RequestDraft, by requester: UUID) async throws -> Created {
        let now = clock.now()
        try draft.check(at: now)
        let company = try await companyName(of: requester)
        try await search.count(draft.searched, by: requester, at: now)
        let individual = try await find(draft, for: requester)
        try await AccessLog.addLookUp(
            of: individual, by: requester, named: company, types: draft.dataTypes, at: now, store: life.store,
            audit: audit, in: life.database)
        let collected = try await collectedTypes(of: individual, for: requester)
        let types = draft.dataTypes.filter(collected.contains)
        guard !types.isEmpty else {
            throw Problem(
                .conflict, code: "no-data-available", detail: "none of the requested data types is available")
        }
        let request = ConsentRequest(
            id: .timeOrdered(at: now), requesterID: requester, individualID: individual, runID: nil, mode: draft.mode,
            types: types, from: draft.from, to: draft.to, reason: draft.reason, requesterName: company,
            named: draft.named, createdAt: now, lapsesAt: now + settings.lapse)
        try await life.create(request, notice: .request(request))
        return Created(request: request, unavailable: draft.dataTypes.filter { !collected.contains($0) })
    }

    private func companyName(of requester: UUID) async throws -> String {
        let asker = try await accounts.call(Accounts.Name.self, .init(accountID: requester, purpose: "request"))
        guard asker.kind != .individual else {
            throw Problem(.forbidden, code: "forbidden", detail: "only companies ask for other people's data")
        }
        return asker.name
    }

    private func find(_ draft: RequestDraft, for requester: UUID) async throws -> UUID {
        do throws(RPCError) {
            return try await accounts.call(
                Accounts.Find.self,
                .init(fiscalCode: draft.fiscalCode, email: draft.email, purpose: "request", onBehalfOf: requester)
            ).accountID
        } catch {
            guard error.code == .notFound else { throw error }
            throw Problem(
                .notFound, code: "no-such-individual",
                detail: "no individual is registered with this fiscal code or e-mail address")
        }
    }

    /// Which types are collected of the individual at all; when they were measured is told only after consent (REQ-03).
    private func collectedTypes(
        of individual: UUID, for requester: UUID
    ) async throws(RPCError) -> Set<DataType> {
        let params = Ingestion.Types.Params(accountID: individual, onBehalfOf: requester)
        return Set(try await ingestion.call(Ingestion.Types.self, params).types)
    }
}
