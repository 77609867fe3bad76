import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import Telemetry

/// Acknowledgements by the operator's own systems: signed as our messages to their hook are. People say
/// `trackme-dispatcher alarms acknowledge`.
struct AlarmRoutes: Sendable {
    static let alarmsMax = 100
    static let nameBytesMax = 64

    let store: AlarmStore
    let hooks: MessageHooks
    let audit: AuditTrail
    let clock: any WallClock
    let ignoredMembers: Counter

    private struct Form: Decodable {
        let hook: String
        /// Who has taken notice, for the history.
        let by: String
        /// `nil`: all.
        let alarms: [UUID]?
    }

    private struct Answer: Encodable { let acknowledged: Int }

    func add(to routes: inout ServiceRoutes) {
        let path = "/dispatcher/v1/operator-alarms/acknowledgement"
        routes.on(.post, path, access: .secretInRequest, body: .buffered(bytesMax: 16_384)) { request in
            let form = try request.json(Form.self, unknownMembers: .counted(ignoredMembers))
            guard let hook = hooks[form.hook], [.alarm, .escalation].contains(hook.kind),
                SignedCall(request, by: hook.secret, now: clock.now()) != nil
            else { throw SignedCall.refused }
            guard Self.isName(form.by), (form.alarms ?? []).count <= Self.alarmsMax else {
                throw Problem(
                    .unprocessableContent, code: "invalid-request", detail: "some members cannot be as they are",
                    errors: [
                        .init(
                            pointer: Self.isName(form.by) ? "/alarms" : "/by",
                            detail: "a name of 1 to \(Self.nameBytesMax) bytes, and at most \(Self.alarmsMax) alarms")
                    ])
            }
            let count = try await store.acknowledge(form.alarms, by: form.by, noted: "hook \(hook.name)", audit)
            return try HTTPResponse.json(Answer(acknowledged: count)).uncached
        }
    }

    static func isName(_ name: String) -> Bool {
        (1...nameBytesMax).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }
}

extension AlarmStore {
    /// With the entry in the audit trail.
    func acknowledge(_ ids: [UUID]?, by who: String, noted actor: String, _ audit: AuditTrail) async throws -> Int {
        do throws(TransactionError) {
            return try await database.transaction { transaction in
                let count = try await acknowledge(ids, by: who, in: transaction)
                try await audit.append(
                    [
                        .init(
                            actor: actor, action: "dispatcher.acknowledge_alarms", pseudonym: nil,
                            purpose: "\(count) by \(who)")
                    ], in: transaction)
                return count
            }
        } catch { throw error.underlying }
    }
}

/// `trackme-dispatcher alarms …`: operators see alarms, acknowledge them, and try the way to themselves.
struct AlarmCommand: Sendable {
    static let name = "alarms"
    static let summary =
        "show: alarms that are open or were today; acknowledge NAME ALARM…: they are told no more, `all` stands for all; test: rings one, to see whether it arrives"

    static let usage = CommandMistake(
        description: """
            Say alarms show, alarms acknowledge NAME ALARM…, or alarms test. NAME is yours, for the history, in at most \
            \(AlarmRoutes.nameBytesMax) bytes; ALARM is the number that alarms show says, or all.
            """)

    let store: AlarmStore
    let audit: AuditTrail

    init(_ context: ServiceContext<DispatcherSettings>) {
        store = AlarmStore(database: context.database, times: (context.settings.alarms ?? AlarmSettings()).times)
        audit = AuditTrail(database: context.database)
    }

    /// What was done. Throws `CommandMistake`: a sentence for whoever called it.
    func run(_ arguments: [String]) async throws -> String {
        switch (arguments.first, arguments.count) {
        case ("show", 1): return try await show()
        case ("test", 1):
            try await store.write(
                .init(rung: [OperatorAlarm(.test).key: OperatorAlarm(.test, detail: "by hand")], ended: []))
            return "Rung: it is told within seconds where a dispatcher runs. Acknowledge it when it has arrived."
        case ("acknowledge", 3...):
            let (name, numbers) = (arguments[1], Array(arguments[2...]))
            let ids = numbers.compactMap { UUID($0) }
            guard AlarmRoutes.isName(name), numbers == ["all"] || ids.count == numbers.count else { throw Self.usage }
            let count = try await store.acknowledge(
                numbers == ["all"] ? nil : ids, by: name, noted: "command", audit)
            return "\(count) alarms acknowledged."
        default: throw Self.usage
        }
    }

    private func show() async throws -> String {
        let rows = try await store.list()
        guard !rows.isEmpty else { return "No alarms." }
        return rows.map { row in
            let line = AlarmMessage.Alarm(row).line
            return row.acknowledgedBy.map { "\(line), acknowledged by \($0)" } ?? line
        }.joined(separator: "\n")
    }
}
