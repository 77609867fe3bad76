import Domain
import HTTP
import Service

/// `GET /terms` and the texts themselves.
struct TermsRoutes: Sendable {
    private struct Version: Encodable {
        let version: String
        let textURL: String
    }

    private struct Overview: Encodable {
        let individual: Version
        let thirdParty: Version
        let organiser: Version
        let consents: Version
    }

    /// Stands for a kind of account in the path of the texts of consents.
    private static let consents = "consents"

    let terms: TermsCatalogue
    let baseURL: String

    func add(to routes: inout ServiceRoutes) {
        let (terms, baseURL) = (terms, baseURL)
        func version(_ name: String, _ version: String) -> Version {
            Version(version: version, textURL: "\(baseURL)/accounts/v1/terms/\(name)/\(version)")
        }
        func version(_ kind: AccountKind) -> Version { version(kind.rawValue, terms[kind]) }
        let overview = Overview(
            individual: version(.individual), thirdParty: version(.thirdParty), organiser: version(.organiser),
            consents: version(Self.consents, ConsentPurpose.version))
        routes.answer(.get, "/terms", access: .anyone) { _ in try .json(overview) }
        routes.answer(.get, "/terms/:kind/:version", access: .anyone, query: .read) { request in
            let language = try request.parameters { (query) throws(Problem) in
                query.choice("language", of: Language.self) ?? .italian
            }
            let name: String = try request.parameter("kind")
            let version: String = try request.parameter("version")
            if name == Self.consents, version == ConsentPurpose.version {
                return .text(ConsentPurpose.allCases.map { $0.text(language) }.joined(separator: "\n\n"))
            }
            guard let kind = AccountKind(rawValue: name), version == terms[kind] else { throw Refusal.notFound }
            return .text(TermsText.text(kind, language))
        }
    }
}
