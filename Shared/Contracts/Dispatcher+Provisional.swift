public import Primitives
public import RPC

extension Dispatcher {
    /// Judges samples of watched people that ingestion could not store in time (SOS-05): its database is away, or slow. They come
    /// again through `ingestion.live` when the device has sent them again, and change nothing then. Answered once they are judged and
    /// what follows is on disk. People who are not enrolled are passed over. For ingestion.
    ///
    /// Errors: `invalid_params` for more than a call may have, `unavailable` when they cannot be judged now: to be sent again, in the
    /// same order.
    public enum Provisional: RPCMethod {
        public static let uploadsMax = 500
        /// In all uploads together.
        public static let samplesMax = 50_000

        /// What a device has sent, or a part of it.
        public struct Upload: Codable, Sendable {
            public var samples: Ingestion.LiveSamples
            /// Since it was received, by a monotonic clock.
            public var ageMilliseconds: Int64
            public init(samples: Ingestion.LiveSamples, ageMilliseconds: Int64) {
                self.samples = samples
                self.ageMilliseconds = ageMilliseconds
            }
            enum CodingKeys: String, CodingKey {
                case samples
                case ageMilliseconds = "age_ms"
            }
        }

        public struct Params: Codable, Sendable {
            /// Those of a device in the order in which they were received.
            public var uploads: [Upload]
            public init(uploads: [Upload]) { self.uploads = uploads }
        }

        public struct Result: Codable, Sendable {
            /// Which process has judged them.
            public var replica: UUID
            /// People whose samples it could not judge: its database is away, and another replica follows them. To be sent to the
            /// others.
            public var unknown: [UUID]
            public init(replica: UUID, unknown: [UUID]) { (self.replica, self.unknown) = (replica, unknown) }
        }
        public static let name = "dispatcher.provisional"
        public static let isIdempotent = true
    }
}
