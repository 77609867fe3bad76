import Contracts
import Primitives
import RPC
import Reactor
import Service

/// The dispatcher's alarms for operators, who are known here: which are open, and that somebody has taken notice (SOS-13bd). The alarms
/// themselves reach the operator by hooks and mail whatever happens here.
struct SOSAlarms: Sendable {
    /// What the audit trail calls an acknowledgement.
    static let action = "operator.acknowledge_alarms"
    private static let answerMax = Duration.seconds(5)

    struct Form: Decodable, Sendable { let alarms: [UUID] }

    let dispatcher: any RPCCaller
    let store: Store
    let audit: AuditTrail

    func look() async throws -> Dispatcher.OperatorAlarms.Result {
        try await dispatcher.call(Dispatcher.OperatorAlarms.self, .init(), deadline: .after(Self.answerMax))
    }

    func acknowledge(_ form: Form, by caller: OperatorSessions.Operator) async throws
        -> Dispatcher.AcknowledgeAlarms.Result
    {
        guard (1...Dispatcher.AcknowledgeAlarms.alarmsMax).contains(form.alarms.count) else {
            throw Refusal.invalid(
                "/alarms", "Name 1 to \(Dispatcher.AcknowledgeAlarms.alarmsMax) alarms.",
                code: "invalid-request")
        }
        try await store.transaction { transaction in
            try await audit.append(
                [
                    .init(
                        actor: caller.actor, action: Self.action, pseudonym: nil,
                        purpose: "alarms: \(form.alarms.count)")
                ],
                in: transaction)
        }
        return try await dispatcher.call(
            Dispatcher.AcknowledgeAlarms.self, .init(alarms: form.alarms, by: caller.name),
            deadline: .after(Self.answerMax))
    }
}
