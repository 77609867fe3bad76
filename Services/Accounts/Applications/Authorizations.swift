import Contracts
import Domain
import Postgres
import Primitives
import Security

/// A person's word on an application that wants to deliver data (ACC-14; RFC 6749 §4.1, RFC 9700).
///
/// The page shows who asks, where the answer goes, and of which types data would come; the person leaves out what is not wanted. The
/// application gets a code, good once and for a minute, and exchanges it for tokens (`ApplicationTokens`).
struct Authorizations: Sendable {
    /// How long a code is good, by the database's clock.
    static let codeLife = Duration.seconds(60)
    /// How long a code that was used is known, so that a second use is noticed.
    static let codeMemory = Duration.seconds(600)
    /// Codes of one person at the same time.
    static let codesMax = 10

    struct Form: Decodable, Sendable {
        /// The query of the page, as the application's link had it.
        let query: String
        let isAllowed: Bool
        /// What the application may deliver, when it is allowed.
        let dataTypes: [DataType]?
    }

    /// What to show; or where to go at once, when the application has asked wrongly and is to be told.
    struct Question: Encodable, Sendable {
        var name: String?
        /// Where the answer goes: a host, or the scheme of an app.
        var answersTo: String?
        var dataTypes: [DataType]?
        /// Whether it delivers already: what is allowed now takes the place of that.
        var isAuthorised: Bool?
        var redirectTo: String?
    }

    struct Answer: Encodable, Sendable {
        let redirectTo: String
    }

    let store: Store
    /// The address that the suite is reached at (RFC 8414 §2).
    let issuer: String

    func question(_ query: String, to account: UUID) async throws -> Question {
        let request = try await read(query)
        switch request.challenge {
        case .failure(let fault): return Question(redirectTo: request.answer(fault, issuer: issuer))
        case .success:
            let isAuthorised = try await store.database.queryOne(
                """
                select exists (select from device where account = \(account) and application = \(request.application.id))
                """, as: Bool.self)
            return Question(
                name: request.application.name, answersTo: request.redirectURI.shownName,
                dataTypes: try DataType.stored(request.application.dataTypes), isAuthorised: isAuthorised == true)
        }
    }

    /// Where the person's browser goes with the answer.
    func answer(_ form: Form, of account: UUID) async throws -> Answer {
        let request = try await read(form.query)
        let challenge: [UInt8]
        switch request.challenge {
        case .failure(let fault): return Answer(redirectTo: request.answer(fault, issuer: issuer))
        case .success(let hash): challenge = hash
        }
        guard form.isAllowed else {
            let denied = AuthorizationRequest.Fault(error: "access_denied", description: "the person has refused")
            return Answer(redirectTo: request.answer(denied, issuer: issuer))
        }
        let types = try Self.chosen(form.dataTypes ?? [], of: request.application)
        let code = OneTimeToken.random()
        try await store.transaction { transaction in
            try await Store.lock(account, in: transaction)
            let others = try await transaction.queryOne(
                """
                select count(*) from device
                where account = \(account) and application is distinct from \(request.application.id)
                """, as: Int.self)
            guard (others ?? 0) < Devices.devicesMax else { throw Devices.tooMany }
            try await transaction.batch([
                """
                delete from authorization_code where code_hash in (
                  select code_hash from authorization_code where account = \(account) and device is null
                  order by created_at desc offset \(Self.codesMax - 1))
                """,
                """
                insert into authorization_code (code_hash, account, application, redirect_uri, challenge, data_types)
                values (\(code.storedHash), \(account), \(request.application.id), \(request.redirectURI.description),
                  \(challenge), \(types))
                """,
            ])
        }
        return Answer(redirectTo: request.answer([("code", code.text)], issuer: issuer))
    }

    private func read(_ query: String) async throws -> AuthorizationRequest {
        try await AuthorizationRequest(query) { try await SourceApplications.find($0, in: store.database) }
    }

    private static func chosen(
        _ types: [DataType], of application: SourceApplications.Application
    ) throws(Refusal) -> [Int16] {
        guard !types.isEmpty else { throw .invalid("/data_types", "Choose at least one type of data.") }
        let stored = DataType.toStore(types)
        guard Set(types).count == types.count, stored.allSatisfy(application.dataTypes.contains) else {
            throw .invalid("/data_types", "Choose of the types that the application delivers, each once.")
        }
        return stored
    }
}
