public import Primitives

extension Dispatcher {
    /// What wearers and their devices are told of themselves (SOS-04, SOS-08, SOS-13): entity is the account, the only kind is
    /// `wearersKind`, payload `WearerState`. Ingestion follows it in memory and answers uploads with it; nobody is waited for.
    /// The snapshot has everybody of whom there is more to tell than that all is well.
    ///
    /// Its times are counted from the time of the record or of the answer with the snapshot, so that no two machines' clocks are
    /// compared. Nothing that was measured is in it, nor who somebody is.
    public static let wearersFeed = "dispatcher.wearers"
    public static let wearersKind = "state"

    public struct WearerState: Codable, Sendable, Hashable {
        public enum Stage: String, Codable, Sendable, CaseIterable {
            /// Nothing to tell.
            case calm
            /// A critical value: keep still, and look at the sensor.
            case alerted
            /// Critical values that last, of which there is no emergency.
            case confirmed
            /// An ambulance service is called when the time is up, unless the wearer calls it off.
            case countdown
            /// Ambulance services are being called; none has received it.
            case calling
            /// One has received it.
            case handedOver = "handed-over"
            /// One has accepted it.
            case accepted
        }

        public var stage: Stage
        /// The emergency, or the test call, that is open; the device names it to call it off.
        public var incident: UUID?
        public var isExercise: Bool
        /// Until an ambulance service is called.
        public var callsInMilliseconds: Int64?
        /// Until the ambulance is expected, as the service that comes says; negative when it should be there.
        public var arrivesInMilliseconds: Int64?

        public init(
            _ stage: Stage, incident: UUID? = nil, isExercise: Bool = false, callsInMilliseconds: Int64? = nil,
            arrivesInMilliseconds: Int64? = nil
        ) {
            self.stage = stage
            self.incident = incident
            self.isExercise = isExercise
            self.callsInMilliseconds = callsInMilliseconds
            self.arrivesInMilliseconds = arrivesInMilliseconds
        }

        /// Whether vital signs are wanted three times a second (SOS-04).
        public var isAlerted: Bool { stage != .calm }

        private enum CodingKeys: String, CodingKey {
            case stage, incident, isExercise
            case callsInMilliseconds = "calls_in_ms"
            case arrivesInMilliseconds = "arrives_in_ms"
        }
    }
}
