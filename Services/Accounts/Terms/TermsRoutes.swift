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
    }

    let terms: TermsCatalogue
    let baseURL: String

    func add(to routes: inout ServiceRoutes) {
        let (terms, baseURL) = (terms, baseURL)
        func version(_ kind: AccountKind) -> Version {
            Version(version: terms[kind], textURL: "\(baseURL)/accounts/v1/terms/\(kind.rawValue)/\(terms[kind])")
        }
        let overview = Overview(
            individual: version(.individual), thirdParty: version(.thirdParty), organiser: version(.organiser))
        routes.answer(.get, "/terms", access: .anyone) { _ in try .json(overview) }
        routes.answer(.get, "/terms/:kind/:version", access: .anyone, query: .read) { request in
            guard let kind = AccountKind(rawValue: try request.parameter("kind")),
                try request.parameter("version") == terms[kind]
            else { throw Refusal.notFound }
            let language = try request.parameters { (query) throws(Problem) in
                query.choice("language", of: Language.self)
            }
            return .text(TermsText.text(kind, language ?? .italian))
        }
    }
}
