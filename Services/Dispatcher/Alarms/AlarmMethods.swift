import Contracts
import RPC
import Service

/// The operator's alarms for the page that accounts has for operators: reading and acknowledging them (SOS-13bd). When accounts is away
/// operators say `trackme-dispatcher alarms`.
struct AlarmMethods: Sendable {
    let store: AlarmStore
    let audit: AuditTrail

    func register(in rpc: inout RPCRouter) {
        let callers: Set = [ServiceName.accounts.rawValue]
        rpc.register(Dispatcher.OperatorAlarms.self, allow: callers) { _, _ in
            .init(alarms: try await store.list().map(Dispatcher.OperatorAlarms.Alarm.init))
        }
        rpc.register(Dispatcher.AcknowledgeAlarms.self, allow: callers) { params, _ in
            guard (1...Dispatcher.AcknowledgeAlarms.alarmsMax).contains(params.alarms.count),
                AlarmRoutes.isName(params.by)
            else { throw RPCError(.invalidParams, "Name the operator, and 1 to 100 alarms.") }
            return .init(
                acknowledged: try await store.acknowledge(params.alarms, by: params.by, noted: "accounts", audit))
        }
    }
}

extension Dispatcher.OperatorAlarms.Alarm {
    init(_ row: AlarmStore.Row) {
        self.init(
            id: row.id, kind: row.kind, subject: row.subject, incident: row.incident, detail: row.detail,
            occurrences: row.occurrences, firstAt: row.firstAt, lastAt: row.lastAt, overAt: row.overAt,
            acknowledgedBy: row.acknowledgedBy)
    }
}
