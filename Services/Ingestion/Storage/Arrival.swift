import Domain
import Primitives
import Security

/// Samples of one person that are about to be stored together (table `arrival`).
struct NewArrival: Sendable {
    enum Source: Sendable, Equatable {
        /// The device, and its own count of its uploads.
        case device(UUID, upload: Int64)
        /// A manual entry or a piece of an import, with the keyed hash of its content.
        case content([UInt8])
    }

    let id: UUID
    let account: UUID
    let source: Source
    let receivedAt: Timestamp
    let sentAt: Timestamp
    /// Normalized.
    let batch: SampleBatch
    let key: SubjectKey
}

/// What became of an arrival.
enum ArrivalOutcome: Sendable, Equatable {
    /// So many samples are on disk; 0 when all were of paused groups.
    case stored(samples: Int, paused: Set<DataType.Group>)
    /// It had been stored before, so many samples, received then.
    case repeated(samples: Int, receivedAt: Timestamp)
    /// The account was erased.
    case erased
    /// The device was removed from its account, or is another account's.
    case deviceRemoved
}

/// Samples as they are read again.
struct StoredArrival: Sendable {
    let arrival: Int64
    let id: UUID
    let device: UUID?
    let sealed: [UInt8]
}

/// Where sealed samples stand, for `SubjectKey`.
enum SealedLocation {
    static func arrival(_ id: UUID) -> FieldLocation { FieldLocation("ingestion.arrival.sealed", row: id) }
    static func live(_ account: UUID) -> FieldLocation { FieldLocation("ingestion.live.payload", row: account) }
}

extension StoredArrival {
    /// Opens and reads the samples. Errors: `SecurityError`, `SampleCodecError`.
    func samples(_ key: SubjectKey) throws -> SampleBatch {
        try SampleCodec.decode(try key.open(sealed, at: SealedLocation.arrival(id)))
    }
}
