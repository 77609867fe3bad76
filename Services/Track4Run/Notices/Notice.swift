import Primitives

/// A message that accounts is to deliver to somebody, in the inbox and by mail (RUN-02, RUN-04, RUN-06, RUN-07,
/// RUN-08, RUN-11).
struct Notice: Sendable {
    /// Follows from what is told, so that telling it again is recognised.
    let id: UUID
    let account: UUID
    let template: String
    let values: [String: String]

    static func created(_ run: Run) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-created"), account: run.organiser, template: "run-created",
            values: ["run": run.name, "code": run.code, "start": run.start.description])
    }

    static func changed(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-changed", "\(run.version)", "\(account)"), account: account,
            template: "run-changed", values: ["run": run.name, "start": run.start.description])
    }

    static func cancelled(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-cancelled", "\(account)"), account: account, template: "run-cancelled",
            values: ["run": run.name])
    }

    static func enrolled(_ run: Run, _ account: UUID, bib: Int) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-enrolled", "\(bib)"), account: account, template: "run-enrolled",
            values: ["run": run.name, "bib": "\(bib)", "start": run.start.description])
    }

    static func left(_ run: Run, _ account: UUID, bib: Int) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-left", "\(bib)"), account: account, template: "run-left",
            values: ["run": run.name])
    }

    static func checkInMissed(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "check-in-missed", "\(account)"), account: account,
            template: "check-in-missed", values: ["run": run.name])
    }

    /// `result` is a place and a time, or a word.
    static func finished(_ run: Run, _ account: UUID, result: String) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-finished", "\(account)"), account: account, template: "run-finished",
            values: ["run": run.name, "result": result])
    }
}
