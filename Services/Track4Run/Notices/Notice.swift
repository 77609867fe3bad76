import Primitives
import Service

/// Messages to organisers and runners (RUN-02, RUN-04, RUN-06, RUN-07, RUN-08, RUN-11). The id follows from the
/// content, so that a repeat is recognised.
extension Notice {
    static func created(_ run: Run) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-created"), to: run.organiser, template: "run-created",
            values: ["run": run.name, "code": run.code, "start": run.start.description])
    }

    static func changed(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-changed", "\(run.version)", "\(account)"), to: account,
            template: "run-changed", values: ["run": run.name, "start": run.start.description])
    }

    /// New clauses have to be accepted (RUN-06).
    static func clausesChanged(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-changed", "\(run.version)", "\(account)"), to: account,
            template: "run-clauses-changed", values: ["run": run.name, "start": run.start.description])
    }

    /// The run is now at the time of another one that the runner is enrolled in (RUN-06).
    static func moved(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-changed", "\(run.version)", "\(account)"), to: account,
            template: "run-moved", values: ["run": run.name, "start": run.start.description])
    }

    static func cancelled(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-cancelled", "\(account)"), to: account, template: "run-cancelled",
            values: ["run": run.name])
    }

    static func enrolled(_ run: Run, _ account: UUID, bib: Int) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-enrolled", "\(bib)"), to: account, template: "run-enrolled",
            values: ["run": run.name, "bib": "\(bib)", "start": run.start.description])
    }

    static func left(_ run: Run, _ account: UUID, bib: Int) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-left", "\(bib)"), to: account, template: "run-left",
            values: ["run": run.name])
    }

    static func checkInMissed(_ run: Run, _ account: UUID) -> Notice {
        Notice(
            id: Store.identifier(run.id, "check-in-missed", "\(account)"), to: account,
            template: "check-in-missed", values: ["run": run.name])
    }

    /// `result` is a place and a time, or a word.
    static func finished(_ run: Run, _ account: UUID, result: String) -> Notice {
        Notice(
            id: Store.identifier(run.id, "run-finished", "\(account)"), to: account, template: "run-finished",
            values: ["run": run.name, "result": result])
    }
}
