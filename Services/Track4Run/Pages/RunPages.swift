import Domain
import HTTP
import JSON
import Primitives
import Service
import Web

/// The pages of Track4Run for runners and spectators: runs (RUN-05), a run with its course, live race and placings
/// (RUN-09, RUN-11), a runner's own runs. What they show is what the API answers.
struct RunPages: Sendable {
    private static let runs = Site.Page("runs", needsMap: true)
    private static let run = Site.Page("run", needsMap: true)
    private static let own = Site.Page("my-runs")
    /// Rows of a table of placings; the others are on pages of their own.
    private static let placingsMax = 100

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
            templates: [
                "runs": PackageResources.runs_html, "runs-asked": PackageResources.runs_asked_html,
                "run": PackageResources.run_html, "my-runs": PackageResources.my_runs_html,
            ],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json],
            zone: try TimeZones().rules(of: try TimeZoneName(validating: runs.settings.timeZone)))
    }

    /// The time zone of the runs, by whose clock their times are written wherever the reader is.
    private var zone: JSONValue { .string(api.settings.timeZone) }

    func add(to routes: inout ServiceRoutes) {
        routes.page("/runs", Self.runs, of: site) { try await list($0) }
        routes.page("/runs/:run", Self.run, of: site) { try await show($0) }
        routes.page("/my-runs", Self.own, of: site) { _ in ["zone": zone] }
    }

    /// Runs under way and upcoming, unless others are asked for. When what is asked for cannot be used, that is told above
    /// all of them.
    private func list(_ request: HTTPRequest) async throws -> JSONObject {
        var (search, asked, isUnusable) = (RunSearch(), JSONObject(), false)
        do { (search, asked) = try Self.search(request) } catch { isUnusable = true }
        let selection = search.selection ?? .current
        search.selection = selection
        let page = try await api.list(search)
        var values = try JSONObject(answer: page)
        values["asked"] = .object(asked)
        values["is_unusable"] = .bool(isUnusable)
        values["is_narrowed"] = .bool(asked["place"] != nil || asked["date"] != nil || selection != .current)
        values["heading"] = .string(selection.rawValue)
        values["looks_ahead"] = .bool(selection != .past && selection != .cancelled)
        values["states"] = .array(
            RunSelection.allCases.map { state in
                .object(["value": .string(state.rawValue), "is_asked": .bool(state == selection)])
            })
        values["none"] = .bool(page.runs.isEmpty)
        return values
    }

    /// What is searched for, and its words as they were typed.
    private static func search(_ request: HTTPRequest) throws(Problem) -> (RunSearch, JSONObject) {
        try request.parameters { (query) throws(Problem) in
            query.ignoreEmpty()
            query.ignoreUnknown()
            let asked = ["text", "place", "date"].reduce(into: JSONObject()) { asked, name in
                asked[name] = query.text(name).map { .string($0) }
            }
            return (RunSearch(&query), asked)
        }
    }

    private func show(_ request: HTTPRequest) async throws -> JSONObject {
        let run = try await api.find(try request.parameter("run"))
        var view = try await api.show(run)
        view.path = nil
        let checkpoints = view.checkpoints?.count ?? 0
        var values = try JSONObject(answer: view)
        values["title"] = .string(view.name)
        values["zone"] = zone
        values["has_checkpoints"] = .bool(checkpoints > 0)
        values["can_enrol"] = .bool(
            view.state == .upcoming && api.store.clock.now() < view.enrolmentDeadline
                && view.participants < view.participantsMax)
        let ranking = try await spectators.ranking(of: run)
        let (first, count) = (Self.first(in: request), ranking.placings.count)
        values["final"] = .bool(ranking.final)
        values["has_placings"] = .bool(count > 0)
        values["placings"] = .array(
            try ranking.placings.dropFirst(first - 1).prefix(Self.placingsMax).map {
                .object(try Self.row($0, checkpoints: checkpoints))
            })
        values["first"] = .integer(Int64(first))
        if first > 1 { values["earlier"] = .integer(Int64(max(1, first - Self.placingsMax))) }
        if first + Self.placingsMax <= count { values["later"] = .integer(Int64(first + Self.placingsMax)) }
        return values
    }

    /// A placing with a cell for each checkpoint. What it lacks is said to be absent: the run has a `place` of its own.
    private static func row(_ placing: Placing, checkpoints: Int) throws -> JSONObject {
        var row = try JSONObject(answer: placing)
        if placing.place == nil { row["place"] = JSONValue.null }
        row["splits"] = .array(
            (0..<checkpoints).map { $0 < placing.splits.count ? .number(placing.splits[$0]) : .null })
        return row
    }

    /// The placing that the table begins with, from 1.
    private static func first(in request: HTTPRequest) -> Int {
        let asked = try? request.parameters { (query) throws(Problem) in
            query.ignoreUnknown()
            return query.number("from", 1...RunDraft.participantsMax)
        }
        return asked ?? 1
    }
}
