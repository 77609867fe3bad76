import Domain
import Glibc
import Primitives
import Security

/// What is published of one person and one day for group statistics, as it is kept (table `day_value`):
///
/// ```
/// values = version (1) (type:byte value:zigzag)*
/// value  = in units of 1 / `scale(type)`
/// ```
struct PublishedDay: Sendable {
    private static let version: UInt8 = 1

    /// To two decimal places more than single values have: finer than any step of group statistics.
    static func rounded(_ value: Double, _ type: DataType) -> Double { scaled(value, type) / scale(type) }

    private static func scaled(_ value: Double, _ type: DataType) -> Double { (value * scale(type)).rounded() }
    private static func scale(_ type: DataType) -> Double { pow(10, Double(type.decimals + 2)) }

    /// Each rounded.
    private(set) var values: [(type: DataType, value: Double)] = []

    init() {}

    mutating func add(_ value: Double, of type: DataType) { values.append((type, Self.rounded(value, type))) }

    func sealed(with key: SubjectKey, of account: UUID, on day: CalendarDate) -> [UInt8] {
        var writer = ColumnWriter()
        writer.byte(Self.version)
        for (type, value) in values {
            writer.byte(type.rawValue)
            writer.zigzag(Int64(Self.scaled(value, type)))
        }
        return key.seal(writer.bytes, at: Self.location(account, day))
    }

    /// Errors: `SecurityError`, `SampleCodecError`.
    init(opening sealed: [UInt8], with key: SubjectKey, of account: UUID, on day: CalendarDate) throws {
        let opened = try key.open(sealed, at: Self.location(account, day))
        let read: Result<[(DataType, Double)], SampleCodecError> = opened.withUnsafeBytes { bytes in
            do throws(SampleCodecError) { return .success(try Self.read(ColumnReader(bytes))) } catch {
                return .failure(error)
            }
        }
        values = try read.get().map { (type: $0, value: $1) }
    }

    private static func read(_ bytes: ColumnReader) throws(SampleCodecError) -> [(DataType, Double)] {
        var (reader, values) = (bytes, [(DataType, Double)]())
        let version = try reader.byte()
        guard version == Self.version else { throw .version(version) }
        while !reader.isAtEnd {
            let number = try reader.byte()
            guard let type = DataType(rawValue: number) else { throw .malformed("the unknown data type \(number)") }
            values.append((type, Double(try reader.zigzag()) / scale(type)))
        }
        return values
    }

    private static func location(_ account: UUID, _ day: CalendarDate) -> FieldLocation {
        FieldLocation(
            "ingestion.day_value.sealed",
            row: account.bytes + withUnsafeBytes(of: day.daysSinceEpoch.bigEndian) { Array($0) })
    }
}
