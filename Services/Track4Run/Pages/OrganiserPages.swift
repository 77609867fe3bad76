import Domain
import HTTP
import JSON
import Service
import Web

/// The pages of those who organise runs: the own ones (RUN-05c), a new one (RUN-02), and one of them with its
/// participants, race day and result (RUN-04, RUN-12). A page holds what everybody may read; its script fetches the rest.
struct OrganiserPages: Sendable {
    private let api: RunRoutes
    private let site: Site

    /// `nil` where the deployment has no pages (`public.assets`). Errors: templates or words that do not fit.
    init?(runs: RunRoutes, assets: String?) throws {
        guard let assets else { return nil }
        api = runs
        site = try Site(
            "track4run", assets: assets,
            templates: [
                "organise": PackageResources.organise_html, "organise-new": PackageResources.organise_new_html,
                "organise-run": PackageResources.organise_run_html, "run-form": PackageResources.run_form_html,
            ],
            words: [.italian: PackageResources.it_json, .english: PackageResources.en_json], zone: .utc)
    }

    func add(to routes: inout ServiceRoutes) {
        let zone = JSONValue.string(api.settings.timeZone)
        routes.page("/organise", .init("organise"), of: site) { _ in ["zone": zone] }
        routes.page("/organise/new", .init("organise-new", needsMap: true), of: site) { _ in
            ["zone": zone, "limits": Self.limits]
        }
        routes.page("/organise/:run", .init("organise-run", needsMap: true), of: site) { request in
            let run = try await api.find(try request.parameter("run"))
            return [
                "zone": zone, "limits": Self.limits, "title": .string(run.name), "code": .string(run.code),
                "check_in_before_s": .integer(api.settings.checkInBefore.components.seconds),
            ]
        }
    }

    /// What the API refuses (RUN-03), so that the script can tell it before.
    private static let limits: JSONValue = [
        "points_max": .integer(Int64(Polyline.pointsMax)), "length_min": .integer(Int64(CourseRules.lengthMin)),
        "length_max": .integer(Int64(CourseRules.lengthMax)), "jump_max": .integer(Int64(CourseRules.jumpMax)),
        "speed_max": .integer(Int64(CourseRules.speedMax)),
        "checkpoints_max": .integer(Int64(CourseRules.checkpointsMax)),
        "checkpoint_offset_max": .integer(Int64(CourseRules.checkpointOffsetMax)),
        "participants_max": .integer(Int64(RunDraft.participantsMax)),
    ]
}
