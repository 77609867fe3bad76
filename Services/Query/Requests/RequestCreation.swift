import Contracts
import Domain
import HTTP
import Postgres
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
        /// What the acceptance costs; `nil` when nothing.
        let price: Price?

        /// What the third party is answered.
        var answer: RequestCreated {
            RequestCreated(id: request.id, state: request.state, unavailableTypes: unavailable, price: price)
        }
    }

    /// The third party that asks.
    struct Asker: Sendable {
        let id: UUID
        let name: String
    }

    /// Keeps what is answered, in the transaction that creates the request.
    typealias Keeping = @Sendable (Created, Transaction) async throws -> Void

    /// Every look-up counts as a try, whatever it finds (REQ-02), and is written to the log of the person found before
    /// anything about the person is answered (REQ-03, REQ-11). Errors: 422 for a draft with faults, 429 for guessing or pressing,
    /// 404 `no-such-individual` (REQ-02), 409 `no-data-available` (REQ-03), 409 `open-request-exists` (REQ-09).
    func create(_ draft: RequestDraft, by requester: UUID, keeping: @escaping Keeping) async throws -> Created {
        try draft.check(at: clock.now(), settings)
        let asker = try await asker(requester)
        let reservation = try await search.reserve([draft.person.searched], by: requester, at: clock.now())
        if let refusal = reservation.refusal { throw refusal }
        let outcome: Result<Created, any Error>
        do {
            outcome = .success(try await ask(draft.person, draft.terms, by: asker, keeping: keeping))
        } catch { outcome = .failure(error) }
        await search.settle(reservation.attempts.map { ($0, isMiss: Self.isMiss(outcome)) })
        return try outcome.get()
    }

    /// Errors: 403 for whom it is not open to.
    func asker(_ requester: UUID) async throws -> Asker {
        let asker = try await accounts.call(Accounts.Name.self, .init(accountID: requester, purpose: "request"))
        guard asker.kind != .individual else {
            throw Problem(.forbidden, code: "forbidden", detail: "only companies ask for other people's data")
        }
        return Asker(id: requester, name: asker.name)
    }

    /// The request to one person, whose look-up is counted already. Errors: as `create` from 404 on, and 429 for pressing.
    func ask(
        _ person: NamedPerson, _ terms: AskedTerms, by asker: Asker, keeping: @escaping Keeping
    ) async throws -> Created {
        let now = clock.now()
        let individual = try await find(person, for: asker.id)
        try await AccessLog.addLookUp(
            of: individual, by: asker.id, named: asker.name, types: terms.dataTypes, at: now, store: life.store,
            audit: audit, in: life.database)
        try await AskingLimit.check(asker.id, asking: individual, at: now, in: life.database)
        let collected = try await collectedTypes(of: individual, for: asker.id)
        let types = terms.dataTypes.filter(collected.contains)
        guard !types.isEmpty else {
            throw Problem(
                .conflict, code: Self.noData, detail: "none of the requested data types is available")
        }
        let request = ConsentRequest(
            id: .timeOrdered(at: now), requesterID: asker.id, individualID: individual, runID: nil, mode: terms.mode,
            granularity: terms.granularity ?? .raw, frequency: terms.updates, types: types, from: terms.from,
            to: terms.to, reason: terms.reason, requesterName: asker.name, named: person.named, createdAt: now,
            lapsesAt: now + settings.lapse)
        let created = Created(
            request: request, unavailable: terms.dataTypes.filter { !collected.contains($0) },
            price: life.pricing?.price(of: request))
        try await life.create(request, notice: .request(request)) { try await keeping(created, $0) }
        return created
    }

    private static let (nobody, noData) = ("no-such-individual", "no-data-available")

    /// Whether a look-up has found nobody, or nothing that is collected: what a third party may meet only so often (REQ-02).
    /// Where it broke off, nothing was told.
    static func isMiss(_ outcome: Result<Created, any Error>) -> Bool {
        guard case .failure(let error) = outcome else { return false }
        return switch (error as? TransactionError)?.underlying ?? error {
        case let problem as Problem: [nobody, noData].contains(problem.code)
        // Somebody who is erased just now.
        case let refusal as RPCError: refusal.domain == nobody
        default: false
        }
    }

    private func find(_ person: NamedPerson, for requester: UUID) async throws -> UUID {
        do throws(RPCError) {
            return try await accounts.call(
                Accounts.Find.self,
                .init(fiscalCode: person.fiscalCode, email: person.email, purpose: "request", onBehalfOf: requester)
            ).accountID
        } catch {
            guard error.code == .notFound else { throw error }
            throw Problem(
                .notFound, code: Self.nobody,
                detail: "no individual is registered with this fiscal code or e-mail address")
        }
    }

    /// Which types are collected of the individual at all; when they were measured is told only after consent (REQ-03).
    private func collectedTypes(
        of individual: UUID, for requester: UUID
    ) async throws(RPCError) -> Set<DataType> {
        let params = Ingestion.Types.Params(
            accountID: individual, reason: .init(purpose: "request", onBehalfOf: requester))
        return Set(try await ingestion.call(Ingestion.Types.self, params).types)
    }
}
