import Domain
import Postgres
import Primitives
import Security

/// The spans of samples that a person has deleted, of each data type (table `deleted_span`), for as long as the person is here: a
/// newer export of an app holds its whole past again, and would bring back what was deleted.
struct DeletedSpans: Sendable, Equatable {
    /// Spans of all data types together; those that overlap or touch are one.
    static let countMax = 2000

    /// In order; no two overlap or touch. In milliseconds since 1970.
    fileprivate struct OfType: Sendable, Equatable {
        var froms: [Int64] = []
        var tos: [Int64] = []
    }

    private var spans: [DataType: OfType] = [:]

    init() {}

    var count: Int { spans.values.reduce(0) { $0 + $1.froms.count } }

    /// A mask of their data types.
    var types: Int64 { DataType.mask(Array(spans.keys)) }

    /// Adds a deletion that is asked for at a time: what is measured after it was not deleted.
    mutating func add(_ deletion: SpanDeletion.Content, askedAt: Timestamp) {
        let (from, to) = (deletion.from.millisecondsUp, min(deletion.to, askedAt).millisecondsUp)
        guard from < to else { return }
        for type in DataType.types(in: deletion.types) { spans[type, default: OfType()].add(from, to) }
    }

    /// Whether a sample that begins then (milliseconds since 1970) was deleted.
    func contain(_ type: DataType, _ time: Int64) -> Bool { spans[type]?.contain(time) ?? false }
}

extension DeletedSpans.OfType {
    fileprivate mutating func add(_ from: Int64, _ to: Int64) {
        var all = Array(zip(froms, tos)) + [(from, to)]
        all.sort { $0.0 < $1.0 }
        (froms, tos) = ([], [])
        for (from, to) in all {
            if let last = tos.last, from <= last {
                tos[tos.count - 1] = max(last, to)
            } else {
                froms.append(from)
                tos.append(to)
            }
        }
    }

    fileprivate func contain(_ time: Int64) -> Bool {
        let begun = froms.range(from: .min, to: time &+ 1).upperBound
        return begun > 0 && tos[begun - 1] > time
    }
}

/// As they are kept, sealed with the person's key: for each data type its number, how many spans there are (varint), and of each
/// its beginning and its end, each after the number before (zigzag; the first after 1970).
extension DeletedSpans {
    private static func location(of account: UUID) -> FieldLocation {
        FieldLocation("ingestion.deleted_span.spans", row: account)
    }

    func sealed(with key: SubjectKey, of account: UUID) -> [UInt8] {
        var writer = ColumnWriter()
        for (type, own) in spans.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.byte(type.rawValue)
            writer.varint(UInt64(own.froms.count))
            var last: Int64 = 0
            for number in zip(own.froms, own.tos).flatMap({ [$0, $1] }) {
                writer.zigzag(number &- last)
                last = number
            }
        }
        return key.seal(writer.bytes, at: Self.location(of: account))
    }

    /// `sealed` is `nil` of a person who has deleted nothing. Errors: `SecurityError`, `SampleCodecError`.
    init(opening sealed: [UInt8]?, with key: SubjectKey, of account: UUID) throws {
        guard let sealed else { return }
        let bytes = try key.open(sealed, at: Self.location(of: account))
        let read: Result<DeletedSpans, SampleCodecError> = bytes.withUnsafeBytes { bytes in
            do throws(SampleCodecError) { return .success(try DeletedSpans(decoding: bytes)) } catch {
                return .failure(error)
            }
        }
        self = try read.get()
    }

    private init(decoding bytes: UnsafeRawBufferPointer) throws(SampleCodecError) {
        var reader = ColumnReader(bytes)
        while !reader.isAtEnd {
            guard let type = DataType(rawValue: try reader.byte()) else { throw .malformed("an unknown data type") }
            var (own, last) = (OfType(), Int64(0))
            for _ in 0..<(try reader.count(max: Self.countMax)) {
                last &+= try reader.zigzag()
                own.froms.append(last)
                last &+= try reader.zigzag()
                own.tos.append(last)
            }
            spans[type] = own
        }
    }
}

extension DeletedSpans {
    static func select(of account: UUID) -> SQL { "select spans from deleted_span where account_id = \(account)" }

    /// The person must be locked (`ArrivalStore.lock`).
    static func keep(_ sealed: [UInt8], of account: UUID) -> SQL {
        """
        insert into deleted_span (account_id, spans) values (\(account), \(sealed))
        on conflict (account_id) do update set spans = excluded.spans
        """
    }
}

extension SampleBatch {
    /// The samples that do not begin in one of the spans.
    func without(_ spans: DeletedSpans) -> SampleBatch {
        guard types & spans.types != 0 else { return self }
        return SampleBatch(
            values: values.map { column in column.filtered { !spans.contain(column.type, column.times[$0]) } }
                .filter { $0.count > 0 },
            positions: positions.filtered { !spans.contain(.position, positions.times[$0]) })
    }
}
