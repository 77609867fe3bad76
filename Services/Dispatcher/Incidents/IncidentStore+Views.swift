import JSON
import Postgres
import Primitives
import Security
import Service

/// What a wearer may see (SOS-13, SOS-14).
extension IncidentStore {
    static let pageMax = 50

    /// Incidents of a person, newest first, after the one at `cursor`.
    func list(of account: UUID, after cursor: (openedAt: Timestamp, id: UUID)?) async throws -> [IncidentView] {
        let from: SQL =
            cursor.map { "and (opened_at < \($0.openedAt) or opened_at = \($0.openedAt) and id > \($0.id))" } ?? ""
        return try await views("account = \(account) \(sql: from) order by opened_at desc, id limit \(Self.pageMax)")
    }

    /// One incident with its history.
    func view(_ id: UUID, of account: UUID) async throws -> IncidentView? {
        try await view(id, where: "account = \(account)")
    }

    /// The same whoever's it is: for those who read it with a reason (`IncidentCommand`).
    func view(_ id: UUID) async throws -> IncidentView? { try await view(id, where: "true") }

    private func view(_ id: UUID, where condition: SQL) async throws -> IncidentView? {
        guard var view = try await views("id = \(id) and \(sql: condition)").first else { return nil }
        let steps = try await database.query(
            "select at, kind, hook, detail from incident_step where incident = \(id) order by at, number",
            as: Timestamp.self, String.self, String?.self, String?.self)
        view.steps = steps.compactMap { at, kind, hook, detail in
            guard let known = IncidentStep.Kind(rawValue: kind) else {
                log.error(
                    "a step of an incident is of an unknown kind",
                    ["incident": .string(id.description), "kind": .string(kind)])
                return nil
            }
            return .init(at: at, kind: known, hook: hook, detail: detail)
        }
        return view
    }

    /// What is known of an incident; `nil` when it cannot be read. Errors: those of the key store, which pass.
    func details(of id: UUID) async throws -> IncidentDetails? {
        let row = try await database.rows("select details, record, record_key from incident where id = \(id)").first
        guard let stored = try row.map(IncidentSealing.Stored.init) else { return nil }
        return opened(stored, of: id, with: try await sealing.keys.keySet(of: [stored.key].compactMap(\.self)))
    }

    private func opened(
        _ stored: IncidentSealing.Stored, of id: UUID, with held: SubjectKeySet
    ) -> IncidentDetails? {
        do { return try sealing.open(stored, of: id, with: held) } catch {
            log.error(
                "an incident's details cannot be read",
                ["incident": .string(id.description), "error": Log.text(of: error)])
            return nil
        }
    }

    /// The end of the abort window of an incident for which nobody was called yet.
    private static func callsAt(machine: String?, openedAt: Timestamp) -> Timestamp? {
        guard let machine, let incident = try? JSONDecoder().decode(Incident.self, from: Array(machine.utf8)),
            incident.handOvers.isEmpty, incident.callsFrom > .zero
        else { return nil }
        return openedAt + (incident.callsFrom - .zero)
    }

    /// An incident whose details cannot be read is shown without its causes, and hides no other.
    private func views(_ condition: SQL) async throws -> [IncidentView] {
        let rows = try await database.rows(
            """
            select id, state, outcome, is_exercise, opened_at, closed_at, accepted_by, details, record, record_key,
              case when state = 'confirmed' then machine::text end as machine, (machine -> 'help')::text as help
            from incident where \(sql: condition)
            """)
        let stored = try rows.map(IncidentSealing.Stored.init)
        let held = await sealing.keys.keySetAtHand(of: stored.compactMap(\.key))
        return try zip(rows, stored).map { row, stored in
            let id: UUID = try row["id"]
            let details = opened(stored, of: id, with: held)
            let (openedAt, isExercise): (Timestamp, Bool) = (try row["opened_at"], try row["is_exercise"])
            let help: String? = try row["help"]
            // One that a newer version wrote hides nothing else.
            let told = help.flatMap { try? JSONDecoder().decode(Incident.Help?.self, from: Array($0.utf8)) } ?? nil
            return IncidentView(
                id: id, state: try row["state"], outcome: try row["outcome"], isExercise: isExercise,
                openedAt: openedAt, closedAt: try row["closed_at"], acceptedBy: try row["accepted_by"],
                callsAt: Self.callsAt(machine: try row["machine"], openedAt: openedAt),
                trigger: details.map { IncidentTrigger($0, isExercise: isExercise) },
                help: told.map { IncidentView.Help($0, openedAt: openedAt) },
                causes: details?.findings.map(IncidentView.Cause.init))
        }
    }
}
