import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of Track4Run: runs (RUN-05), a run with its course, live race and placings (RUN-09, RUN-11). What they show
/// is what the API answers.
struct RunPages: Sendable {
    private static let runs = Site.Page("runs", hasScript: false)
    private static let run = Site.Page("run", needsMap: true)

    private let api: RunRoutes
    private let spectators: LiveRoutes
    private let site: Site

    /// `nil` where the deployment has no pages (`public.assets`). Errors: templates or words that do not fit, or a time
    /// zone that this machine does not know.
    init?(runs: RunRoutes, spectators: LiveRoutes, assets: String?) throws {
        guard let assets else { return nil }
        api = runs
        self.spectators = spectators
        site = try Site(
            "track4run", assets: assets,
            templates: ["runs": PackageResources.runs_html, "run": PackageResources.run_html],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json],
            zone: try TimeZones().rules(of: try TimeZoneName(validating: runs.settings.timeZone)))
    }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/runs", Self.runs, of: site) { try await list($0) }
        routes.page("/runs/:run", Self.run, of: site) { try await show($0) }
    }

    private func list(_ request: HTTPRequest) async throws -> JSONObject {
        let (search, asked) = try request.parameters { (query) throws(Problem) in
            query.ignoreEmpty()
            let asked = ["text", "place", "date", "state"].reduce(into: JSONObject()) { asked, name in
                asked[name] = query.text(name).map { .string($0) }
            }
            return (RunSearch(&query), asked)
        }
        let page = try await api.list(search)
        var values = try JSONObject(answer: page)
        values["asked"] = .object(asked)
        values["states"] = .array(
            Run.Phase.allCases.map { phase in
                .object(["value": .string(phase.rawValue), "is_asked": .bool(phase == search.phase)])
            })
        values["none"] = .bool(page.runs.isEmpty)
        return values
    }

    private func show(_ request: HTTPRequest) async throws -> JSONObject {
        let run = try await api.find(try request.parameter("run"))
        var view = try await api.show(run)
        view.path = nil
        var values = try JSONObject(answer: view)
        values["title"] = .string(view.name)
        let ranking = try await spectators.ranking(of: run)
        for member in try JSONObject(answer: ranking).members { values[member.key] = member.value }
        values["has_placings"] = .bool(!ranking.placings.isEmpty)
        return values
    }
}
