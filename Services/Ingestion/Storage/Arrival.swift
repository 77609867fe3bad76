import Domain
import Postgres
import Primitives
import Security

/// Samples of one person that are about to be stored together (table `arrival`). An object, since it passes through many
/// hands before it is stored, and a copy counts references to everything in it.
final class NewArrival: Sendable {
    enum Source: Sendable, Equatable {
        /// A device, and its own count of its uploads: the same number again is the same upload again.
        case device(UUID, upload: Int64)
        /// What a person entered by hand. The same content again is the same arrival again.
        case manual
        /// A piece of a file, with the name that the file gives its source ("" for none). The same content again is the
        /// same arrival again.
        case imported(name: String)
    }

    let account: UUID
    let source: Source
    /// Keyed hash of what was sent (`UploadContent`); for an import or entry, of its samples. At least 16 bytes.
    let content: [UInt8]
    let receivedAt: Timestamp
    let sentAt: Timestamp
    /// Its times were judged by `sentAt` as well (SOS-05).
    let isByDeviceClock: Bool
    /// What was added to the times of `batch`, since the device's clock is far off.
    let correction: Duration
    /// Normalized.
    let batch: SampleBatch
    let key: SubjectKey
    let dropped: DroppedTypes

    var isUpload: Bool {
        if case .device = source { return true }
        return false
    }

    init(
        account: UUID, source: Source, content: [UInt8], receivedAt: Timestamp, sentAt: Timestamp,
        isByDeviceClock: Bool = false, correction: Duration = .zero, batch: SampleBatch, key: SubjectKey,
        dropped: DroppedTypes = DroppedTypes()
    ) {
        self.account = account
        self.source = source
        self.content = content
        self.receivedAt = receivedAt
        self.sentAt = sentAt
        self.isByDeviceClock = isByDeviceClock
        self.correction = correction
        self.batch = batch
        self.key = key
        self.dropped = dropped
    }

    /// By the clock that the times of `batch` are by.
    var correctedSentAt: Timestamp { sentAt + correction }

    /// The same with what of it is to be stored.
    func with(_ batch: SampleBatch, dropped: DroppedTypes) -> NewArrival {
        NewArrival(
            account: account, source: source, content: content, receivedAt: receivedAt, sentAt: sentAt,
            isByDeviceClock: isByDeviceClock, correction: correction, batch: batch, key: key, dropped: dropped)
    }
}

/// The parts of an arrival that were not to be stored, and were dropped.
struct DroppedTypes: Sendable, Equatable {
    /// Of what it had something that is not collected, or was not when it was measured (ING-14).
    var paused: Set<DataType.Group> = []
    /// A mask of what the device sent although the person does not let it (ACC-14).
    var withheld: Int64 = 0
}

/// The result of storing an arrival.
enum ArrivalOutcome: Sendable, Equatable {
    /// So many samples are stored; 0 when all were dropped.
    case stored(samples: Int, dropped: DroppedTypes)
    /// It had been stored before.
    case repeated(EarlierArrival)
    /// It was stored so long ago that nothing else is known of it.
    case storedLongAgo
    /// The device has used the number for other content; it was received then, or before.
    case conflict(receivedAt: Timestamp)
    /// The account was erased.
    case erased
    /// The device was removed from its account, or is another account's.
    case deviceRemoved
}

extension ArrivalOutcome {
    /// What was sent is the device's own, and is stored.
    var isTaken: Bool {
        switch self {
        case .stored, .repeated, .storedLongAgo: true
        case .conflict, .erased, .deviceRemoved: false
        }
    }
}

/// The result, and what its sender is told of the person.
struct ArrivalResult: Sendable {
    let outcome: ArrivalOutcome
    /// AutomatedSOS watches the person.
    let isWatchedClosely: Bool
}

/// A stored arrival.
struct StoredArrival: Sendable, PostgresRowDecodable {
    let arrival: Int64
    /// 0 for manual entry, else of table `source`.
    let source: Int16
    let sealed: [UInt8]

    init(row: PostgresRow) throws(PostgresError) {
        arrival = try row["arrival"]
        source = try row["source"]
        sealed = try row["sealed"]
    }

    /// Opens and reads it. Errors: `SecurityError`, `SampleCodecError`.
    func content(of account: UUID, _ key: SubjectKey) throws -> ArrivalContent {
        try ArrivalContent(decoding: try key.open(sealed, at: SealedLocation.arrival(arrival, of: account)))
    }

    func samples(of account: UUID, _ key: SubjectKey) throws -> SampleBatch { try content(of: account, key).batch }
}

/// The place of sealed samples, for `SubjectKey`.
enum SealedLocation {
    static func arrival(_ arrival: Int64, of account: UUID) -> FieldLocation {
        var row = account.bytes
        withUnsafeBytes(of: arrival.bigEndian) { row.append(contentsOf: $0) }
        return FieldLocation("ingestion.arrival.sealed", row: row)
    }
    static func details(of account: UUID) -> FieldLocation { FieldLocation("ingestion.person.details", row: account) }
    static func block(_ type: DataType, _ day: CalendarDate, of account: UUID) -> FieldLocation {
        FieldLocation("ingestion.block.samples", row: row(type, day, account))
    }
    static func summary(_ type: DataType, _ day: CalendarDate, of account: UUID) -> FieldLocation {
        FieldLocation("ingestion.block.summary", row: row(type, day, account))
    }
    private static func row(_ type: DataType, _ day: CalendarDate, _ account: UUID) -> [UInt8] {
        var row = account.bytes
        row.append(type.rawValue)
        withUnsafeBytes(of: day.daysSinceEpoch.bigEndian) { row.append(contentsOf: $0) }
        return row
    }
    static func sourceName(of account: UUID) -> FieldLocation { FieldLocation("ingestion.source.name", row: account) }
    static func rollups(_ publication: UUID) -> FieldLocation {
        FieldLocation("ingestion.rollups.payload", row: publication)
    }
    static func live(_ account: UUID) -> FieldLocation { FieldLocation("ingestion.live.payload", row: account) }
}
