public import Primitives
public import RPC

extension Dispatcher {
    /// The operator's alarms that are open, or were until a day ago, for operators' pages (SOS-13bd). For accounts, which knows who an
    /// operator is. Nothing personal is in it: kinds, names of hooks, numbers of incidents.
    public enum OperatorAlarms: RPCMethod {
        public struct Alarm: Codable, Sendable, Equatable {
            public var id: UUID
            /// As `OperatorAlarm.Kind` of the dispatcher has it: new ones may come.
            public var kind: String
            /// What it is about: an incident's number, the name of a hook. Empty where there is nothing to name.
            public var subject: String
            public var incident: UUID?
            public var detail: String
            public var occurrences: Int64
            public var firstAt: Timestamp
            public var lastAt: Timestamp
            public var overAt: Timestamp?
            /// Who has taken notice.
            public var acknowledgedBy: String?

            public init(
                id: UUID, kind: String, subject: String, incident: UUID?, detail: String, occurrences: Int64,
                firstAt: Timestamp, lastAt: Timestamp, overAt: Timestamp?, acknowledgedBy: String?
            ) {
                self.id = id
                self.kind = kind
                self.subject = subject
                self.incident = incident
                self.detail = detail
                self.occurrences = occurrences
                self.firstAt = firstAt
                self.lastAt = lastAt
                self.overAt = overAt
                self.acknowledgedBy = acknowledgedBy
            }
        }

        public typealias Params = Empty
        public struct Result: Codable, Sendable {
            /// Those that are open first, the newest of each before the others; 1000 at most.
            public var alarms: [Alarm]
            public init(alarms: [Alarm]) { self.alarms = alarms }
        }
        public static let name = "dispatcher.operator_alarms"
        public static let isIdempotent = true
    }

    /// An operator has taken notice: the alarms are told no more. With an entry in the dispatcher's audit trail. For accounts.
    ///
    /// Errors: `invalid_params` for no alarm, more than `alarmsMax` of them, or a name that is none.
    public enum AcknowledgeAlarms: RPCMethod {
        public static let alarmsMax = 100

        public struct Params: Codable, Sendable {
            public var alarms: [UUID]
            /// The operator's name.
            public var by: String
            public init(alarms: [UUID], by: String) {
                self.alarms = alarms
                self.by = by
            }
        }
        public struct Result: Codable, Sendable {
            /// How many were open and not acknowledged.
            public var acknowledged: Int
            public init(acknowledged: Int) { self.acknowledged = acknowledged }
        }
        public static let name = "dispatcher.acknowledge_alarms"
        /// What is acknowledged already stays so.
        public static let isIdempotent = true
    }
}
