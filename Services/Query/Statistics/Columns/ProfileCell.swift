import Contracts
import Domain

/// One subject's coarse profile in 12 bytes. An erased one keeps its version and nothing else.
struct ProfileCell: ColumnCell {
    static let absent = ProfileCell(version: 0)

    /// Of the feed's entity, so that an older profile never replaces a newer one.
    private let version: UInt32
    /// 0: absent or erased.
    let birthYear: UInt16
    /// 1 female, 2 male.
    let sex: UInt8
    /// 0 none, otherwise the position among all occupations plus 1.
    let occupation: UInt8
    /// As `PlaceNumber`; 0 none.
    let residence: UInt16
    let birthplace: UInt16

    private init(version: UInt32) {
        self.version = version
        birthYear = 0
        sex = 0
        occupation = 0
        residence = 0
        birthplace = 0
    }

    /// An erased subject.
    init(erasedAt version: Int64) {
        self.init(version: UInt32(clamping: version))
    }

    init(_ profile: Accounts.CoarseProfile, version: Int64) {
        self.version = UInt32(clamping: version)
        birthYear = UInt16(clamping: profile.birthYear)
        sex = Self.number(of: profile.sex)
        occupation = profile.occupation.map(Self.number) ?? 0
        residence = profile.residence.map(PlaceNumber.of) ?? 0
        birthplace = PlaceNumber.of(profile.birthplace)
    }

    var isPresent: Bool { birthYear != 0 }

    mutating func merge(_ arrived: ProfileCell) {
        if arrived.version >= version { self = arrived }
    }

    static func number(of sex: Sex) -> UInt8 { sex == .female ? 1 : 2 }

    static func number(of occupation: Occupation) -> UInt8 {
        UInt8((Occupation.allCases.firstIndex(of: occupation) ?? 0) + 1)
    }
}

/// Belfiore codes as small numbers.
enum PlaceNumber {
    /// One more than the largest.
    static let bound = 26 * 1000 + 1

    static func of(_ code: BelfioreCode) -> UInt16 {
        let octets = Array(code.description.utf8)
        let digits = octets[1...].reduce(0) { $0 * 10 + UInt16($1 - UInt8(ascii: "0")) }
        return UInt16(octets[0] - UInt8(ascii: "A")) * 1000 + digits + 1
    }
}
