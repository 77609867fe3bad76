import Domain
import HTTP
import Service
import Web

/// `GET /places` and `GET /places/:code`: municipalities and states by name and by code, for forms (ACC-02).
struct PlaceRoutes: Sendable {
    /// What a place is looked for as.
    private enum Use: String, CaseIterable {
        /// Also what is no more.
        case birthplace
        case residence
    }

    private struct Found: Encodable { let places: [View] }

    private struct View: Encodable {
        let code: BelfioreCode
        let name: String
        /// As a reader knows it, in the language of the request.
        let title: String
        let otherNames: [String]
        let province: String?
        let region: String?
        let since: Int?
        let until: Int?
        let latitude: Double
        let longitude: Double

        init(_ place: Place, in language: Language) {
            code = place.code
            name = place.name
            title = place.title(in: language)
            otherNames = place.otherNames
            province = place.provinceAbbreviation
            region = place.region?.rawValue
            since = place.since
            until = place.until
            latitude = place.coordinate.latitude
            longitude = place.coordinate.longitude
        }
    }

    private static let textCharactersMax = 100
    private static let foundDefault = 10
    /// Searches from one client address, in each replica: a form makes some for each place that is typed, and each goes through the
    /// whole table.
    static let searchesPerAddressMax = 1000
    static let addressWindow = Duration.seconds(600)

    let table: PlaceTable
    let limit: AddressLimit

    func add(to routes: inout ServiceRoutes) {
        let (table, limit) = (table, limit)
        routes.answer(.get, "/places", access: .anyone, query: .read) { request in
            try limit.admit(request)
            let (text, use, count) = try request.parameters { (query) throws(Problem) in
                let text = try query.required("text", query.text("text"))
                if !(1...Self.textCharactersMax).contains(text.count) {
                    query.refuse("text", "write 1 to \(Self.textCharactersMax) characters")
                }
                let use = query.choice("use", of: Use.self)
                return (text, use, query.number("limit", 1...PlaceTable.foundMax))
            }
            let found = table.search(text, limit: count ?? Self.foundDefault) { $0.exists || use != .residence }
            return try Self.kept(.json(Found(places: found.map { View($0, in: Self.language(of: request)) })))
        }
        routes.answer(.get, "/places/:code", access: .anyone) { request in
            guard let code = BelfioreCode(try request.parameter("code")), let place = table[code] else {
                throw Refusal.notFound
            }
            return try Self.kept(.json(View(place, in: Self.language(of: request))))
        }
    }

    private static func language(of request: HTTPRequest) -> Language { request.preferredLanguage ?? .italian }

    /// Nothing here is about anybody, and it changes with a release.
    private static func kept(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields["Cache-Control"] = "public, max-age=86400"
        response.fields["Vary"] = "Accept-Language"
        return response
    }
}
