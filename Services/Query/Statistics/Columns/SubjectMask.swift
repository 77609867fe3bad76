import Domain

/// The subjects that a question is about, found in one pass over the profiles: the same work however many match.
struct SubjectMask: Sendable {
    /// 1 for a subject that matches, else 0.
    private(set) var members: [UInt8]

    /// `year` is the one that ages are counted in.
    init(_ profiles: CellColumn<ProfileCell>, matching predicate: Predicate, year: Int) {
        let test = ProfileTest(predicate, year: year)
        members = profiles.cells.map { test.matches($0) }
    }

    /// Exact and never to leave the service: how many members have a value in `column`, and the sum of those.
    func total(_ column: CellColumn<ValueCell>) -> ExactTotal {
        var count: Int64 = 0
        var sum: Int64 = 0
        let length = min(members.count, column.count)
        members.withUnsafeBufferPointer { members in
            column.cells.withUnsafeBufferPointer { cells in
                for subject in 0..<length {
                    let isCounted = Int64(members[subject]) & (cells[subject].isPresent ? 1 : 0)
                    count += isCounted
                    sum += isCounted * cells[subject].contribution
                }
            }
        }
        return ExactTotal(count: count, sum: sum)
    }
}

/// The exact count and sum of a bucket, before noise.
struct ExactTotal: Equatable, Sendable {
    let count: Int64
    /// Sum of the contributions, in steps.
    let sum: Int64
}

/// A predicate made ready for a pass: comparisons and table look-ups only.
private struct ProfileTest {
    private let birthYears: ClosedRange<UInt16>
    private let sex: UInt8
    private let occupation: UInt8
    private let residences: [UInt8]
    private let birthplaces: [UInt8]

    init(_ predicate: Predicate, year: Int) {
        let youngest = UInt16(clamping: year - (predicate.age?.lowerBound ?? 0))
        let oldest = UInt16(clamping: year - (predicate.age?.upperBound ?? Predicate.ageMax))
        // Without an age everybody who has a profile matches, also who is older than anybody or not born in that year.
        birthYears = predicate.age == nil ? 1...UInt16.max : max(1, oldest)...max(1, youngest)
        sex = predicate.sex.map(ProfileCell.number) ?? 0
        occupation = predicate.occupation.map(ProfileCell.number) ?? 0
        residences = Self.table(predicate.residence)
        birthplaces = Self.table(predicate.birthplace)
    }

    @inline(__always)
    func matches(_ cell: ProfileCell) -> UInt8 {
        let years: UInt8 = birthYears.contains(cell.birthYear) ? 1 : 0
        let sexes: UInt8 = sex == 0 || sex == cell.sex ? 1 : 0
        let occupations: UInt8 = occupation == 0 || occupation == cell.occupation ? 1 : 0
        return years & sexes & occupations & residences[Int(cell.residence)] & birthplaces[Int(cell.birthplace)]
    }

    /// A table with 1 for every place that is in the area; without an area, for all places.
    private static func table(_ area: PlaceArea?) -> [UInt8] {
        // Stored numbers are 16 bits wide, so that no look-up can be out of bounds.
        guard let area else { return [UInt8](repeating: 1, count: 65_536) }
        var table = [UInt8](repeating: 0, count: 65_536)
        for code in area.places { table[Int(PlaceNumber.of(code))] = 1 }
        return table
    }
}
