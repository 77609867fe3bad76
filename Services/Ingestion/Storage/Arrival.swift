import Domain
import Postgres
import Primitives
import Security

/// Samples of one person that are about to be stored together (table `arrival`).
struct NewArrival: Sendable {
    enum Source: Sendable, Equatable {
        /// A device, and its own count of its uploads: the same number again is the same upload again.
        case device(UUID, upload: Int64)
        /// A manual entry or a piece of an import: the same content again is the same arrival again.
        case person
    }

    let id: UUID
    let account: UUID
    let source: Source
    /// Keyed hash of what was sent (`UploadContent`); for an import or entry, of what is stored of it.
    let content: [UInt8]
    let receivedAt: Timestamp
    let sentAt: Timestamp
    /// Its times were judged by `sentAt` as well (SOS-05).
    var isByDeviceClock = false
    /// Normalized.
    var batch: SampleBatch
    let key: SubjectKey
    var dropped = DroppedTypes()
}

/// The parts of an arrival that were not to be stored, and were dropped.
struct DroppedTypes: Sendable, Equatable {
    /// What was not collected at the time (ING-14).
    var paused: Set<DataType.Group> = []
    /// A mask of what the device sent although the person does not let it (ACC-14).
    var withheld: Int64 = 0
}

/// An arrival that was stored before, and how it was validated then.
struct EarlierArrival: Sendable, Equatable {
    let samples: Int
    let receivedAt: Timestamp
    let sentAt: Timestamp
    let isByDeviceClock: Bool
    let dropped: DroppedTypes

    var clock: SampleClock {
        isByDeviceClock ? SampleClock(now: receivedAt, sentAt: sentAt) : SampleClock(now: receivedAt)
    }
}

/// The result of storing an arrival.
enum ArrivalOutcome: Sendable, Equatable {
    /// So many samples are stored; 0 when all were dropped.
    case stored(samples: Int, dropped: DroppedTypes)
    /// It had been stored before.
    case repeated(EarlierArrival)
    /// The device has used the number for other content, at that time.
    case conflict(receivedAt: Timestamp)
    /// The account was erased.
    case erased
    /// The device was removed from its account, or is another account's.
    case deviceRemoved
}

/// A stored arrival.
struct StoredArrival: Sendable, PostgresRowDecodable {
    let arrival: Int64
    let id: UUID
    let device: UUID?
    let sealed: [UInt8]

    init(row: PostgresRow) throws(PostgresError) {
        arrival = try row["arrival"]
        id = try row["id"]
        device = try row["device_id"]
        sealed = try row["sealed"]
    }
}

/// The place of sealed samples, for `SubjectKey`.
enum SealedLocation {
    static func arrival(_ id: UUID) -> FieldLocation { FieldLocation("ingestion.arrival.sealed", row: id) }
    static func rollups(_ publication: UUID) -> FieldLocation {
        FieldLocation("ingestion.rollups.payload", row: publication)
    }
    static func live(_ account: UUID) -> FieldLocation { FieldLocation("ingestion.live.payload", row: account) }
}

extension StoredArrival {
    /// Opens and reads the samples. Errors: `SecurityError`, `SampleCodecError`.
    func samples(_ key: SubjectKey) throws -> SampleBatch {
        try SampleCodec.decode(try key.open(sealed, at: SealedLocation.arrival(id)))
    }
}
