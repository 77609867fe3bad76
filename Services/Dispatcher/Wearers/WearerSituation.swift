import Contracts
import JSON
import Postgres
import Primitives

/// How a wearer stands: the phase of the monitor and what is open (SOS-04, SOS-08, SOS-13). Pure; the age of the incident is the only
/// time in it.
struct WearerSituation: Sendable, Equatable {
    struct Open: Sendable, Equatable {
        let id: UUID
        let revision: Int64
        let isExercise: Bool
        /// `nil` when it cannot be read: then it is told that somebody is being called, since a courier is at it.
        let incident: Incident?
        let openedAt: Timestamp
        let age: IncidentAge
    }

    /// Of a person who is watched; `nil` for who is not.
    let phase: MonitorPhase?
    /// An emergency rather than a test call.
    let open: Open?

    private var isAlerted: Bool { phase == .alerted || phase == .confirmed }

    /// As it is told: whatever is neither alerted nor confirmed is nothing to warn of.
    var toldPhase: MonitorPhase { isAlerted ? phase ?? .normal : .normal }

    var state: Dispatcher.WearerState {
        guard let open else {
            return .init(phase == .confirmed ? .confirmed : isAlerted ? .alerted : .calm)
        }
        guard let incident = open.incident else {
            return .init(.calling, incident: open.id, isExercise: open.isExercise)
        }
        var state = Dispatcher.WearerState(stage(of: incident), incident: open.id, isExercise: open.isExercise)
        if state.stage == .countdown {
            state.callsInMilliseconds = max(0, (incident.callsFrom - open.age).milliseconds)
        }
        if let arrival = incident.help?.arrivalExpected {
            state.arrivesInMilliseconds = (arrival - (open.openedAt + (open.age - .zero))).milliseconds
        }
        return state
    }

    private func stage(of incident: Incident) -> Dispatcher.WearerState.Stage {
        switch incident.state {
        case .confirmed: incident.handOvers.isEmpty && incident.callsFrom > .zero ? .countdown : .calling
        case .handedOver: .handedOver
        case .acknowledged: .accepted
        case .closed: .calm
        }
    }
}

/// The statements that read how wearers stand.
extension WearerSituation {
    struct Row: Sendable {
        let account: UUID
        /// Of what was told last; 0 before the first.
        let version: Int64
        let situation: WearerSituation

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account"]
            version = try row["version"]
            let phase: String? = try row["phase"]
            var open: Open?
            if let id: UUID = try row["incident"] {
                let machine: String = try row["machine"]
                open = Open(
                    id: id, revision: try row["revision"], isExercise: try row["is_exercise"],
                    incident: try? JSONDecoder().decode(Incident.self, from: Array(machine.utf8)),
                    openedAt: try row["opened_at"], age: max(.zero, IncidentAge(milliseconds: try row["age_ms"])))
            }
            situation = WearerSituation(phase: phase.flatMap { MonitorPhase(rawValue: $0) }, open: open)
        }
    }

    /// Those of `accounts`, which is a query of the column `account`, in their order. Who is not enrolled any more is told
    /// nothing but that.
    static func select(_ accounts: SQL) -> SQL {
        """
        select c.account, coalesce(w.version, 0) as version, m.phase, i.id as incident, i.revision, i.is_exercise, i.machine,
          i.opened_at, i.age_ms
        from (\(sql: accounts)) c
        left join enrolment e on e.account = c.account and e.is_active
        left join monitor m on m.account = e.account
        left join wearer w on w.account = c.account
        left join lateral (
          select id, revision, is_exercise, opened_at, machine::text as machine,
            (extract(epoch from clock_timestamp() - opened_at) * 1000)::bigint as age_ms
          from incident where account = e.account and state <> 'closed' order by is_exercise limit 1) i on true
        order by c.account
        """
    }

    /// Those of whom there is something else to tell than what was told last. Looked for among all who are alerted or have an open
    /// incident: what only those need of whom there is news is read of them alone.
    static func news(max: Int) -> SQL {
        select(
            """
            select account
            from (
              select account, phase from monitor join enrolment using (account)
              where is_active and phase in ('alerted', 'confirmed')) m
            full join (
              select distinct on (i.account) i.account, i.id, i.revision from incident i join enrolment e using (account)
              where e.is_active and i.state <> 'closed' order by i.account, i.is_exercise) i using (account)
            full join (
              select account, phase, incident, revision from wearer where incident is not null or phase <> 'normal') w
              using (account)
            where (coalesce(m.phase, 'normal'), i.id, i.revision)
              is distinct from (coalesce(w.phase, 'normal'), w.incident, w.revision)
            order by account limit \(max)
            """)
    }
}
