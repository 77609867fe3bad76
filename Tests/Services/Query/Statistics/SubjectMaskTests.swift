import Contracts
import Domain
import Primitives
import Testing

@testable import Query
@testable import Statistics

@Suite struct SubjectMaskTests {
    static func column(_ profiles: [Accounts.CoarseProfile]) throws -> CellColumn<ProfileCell> {
        var column = CellColumn<ProfileCell>()
        try column.merge(
            subjects: profiles.map(\.subject), bytes: CellColumn.bytes(profiles.map { ProfileCell($0, version: 1) }))
        return column
    }

    static func profile(
        _ subject: Int32, born: Int = 1980, _ sex: Sex = .female, lives: String? = "F205", birthplace: String = "H501",
        _ occupation: Occupation? = .employed
    ) -> Accounts.CoarseProfile {
        .init(
            subject: subject, birthYear: born, sex: sex, residence: lives.map { BelfioreCode($0)! },
            birthplace: BelfioreCode(birthplace)!, occupation: occupation)
    }

    static let people = [
        profile(0), profile(1, born: 1960), profile(2, .male), profile(3, lives: "A794"), profile(4, lives: nil),
        profile(5, birthplace: "Z133"), profile(9000, .female, lives: "F205", birthplace: "H501", .student),
    ]

    static let cases: [(Predicate, [Int])] = [
        (Predicate(age: 40...50), [0, 2, 3, 4, 5, 9000]),
        (Predicate(age: 46...46), [0, 2, 3, 4, 5, 9000]),
        (Predicate(age: 47...120), [1]),
        (Predicate(sex: .male), [2]),
        (Predicate(residence: .region(.lombardy)), [0, 1, 2, 3, 5, 9000]),
        (Predicate(residence: .province(Province(abbreviation: "BG")!)), [3]),
        (Predicate(residence: .place(BelfioreCode("F205")!)), [0, 1, 2, 5, 9000]),
        (Predicate(birthplace: .place(BelfioreCode("Z133")!)), [5]),
        (Predicate(birthplace: .region(.lazio)), [0, 1, 2, 3, 4, 9000]),
        (Predicate(occupation: .student), [9000]),
        (Predicate(age: 40...50, sex: .female, residence: .region(.lombardy), occupation: .employed), [0, 3, 5]),
    ]

    @Test("GRP-01abdei: all parameters must hold, and who has no profile never matches", arguments: cases)
    func mask(predicate: Predicate, expected: [Int]) throws {
        let mask = SubjectMask(try Self.column(Self.people), matching: predicate, year: 2026)
        #expect(mask.members.indices.filter { mask.members[$0] == 1 } == expected)
    }

    @Test("GRP-01: an erased person matches nothing any more, and an older profile does not come back")
    func erased() throws {
        var column = try Self.column([Self.profile(0)])
        try column.merge(subjects: [0], bytes: CellColumn.bytes([ProfileCell(erasedAt: 3)]))
        try column.merge(subjects: [0], bytes: CellColumn.bytes([ProfileCell(Self.profile(0), version: 2)]))
        let mask = SubjectMask(column, matching: Predicate(birthplace: .region(.lazio)), year: 2026)
        #expect(!mask.members.contains(1))
    }

    @Test("GRP-09: a person counts once per bucket, with a clamped value")
    func totals() throws {
        let bounds = try #require(DataType.heartRate.groupBounds)
        var column = CellColumn<ValueCell>()
        let cells = [60.0, 500, 125, -3].map { ValueCell(contribution: bounds.contribution($0)) }
        try column.merge(subjects: [0, 1, 2, 4096], bytes: CellColumn.bytes(cells))
        // A repeat changes nothing: the first stands.
        try column.merge(subjects: [0], bytes: CellColumn.bytes([ValueCell(contribution: 95)]))
        let everybody = try Self.column([0, 1, 2, 3, 4096].map { Self.profile($0) })
        let total = SubjectMask(everybody, matching: Predicate(sex: .female), year: 2026).total(column)
        #expect(total == ExactTotal(count: 4, sum: -65 + 95 + 0 - 95))
    }

    @Test("Blocks read back as they were written, and others are refused")
    func blocks() throws {
        let column = try Self.column(Self.people)
        var copy = CellColumn<ProfileCell>()
        for block in 0..<column.count / CellFormat.blockSubjects {
            try copy.load(block: block, bytes: column.bytes(block: block))
        }
        #expect(copy.cells == column.cells)
        #expect(throws: ColumnError.malformed) { try copy.load(block: 0, bytes: [1, 2, 3]) }
        #expect(throws: ColumnError.malformed) { try copy.load(block: 1 << 40, bytes: column.bytes(block: 0)) }
    }

    @Test("GRP-09: the same predicate has one canonical form")
    func canonical() {
        let predicate = Predicate(age: 18...65, sex: .male, residence: .region(.emiliaRomagna))
        let places = PlaceArea.region(.emiliaRomagna).canonical
        #expect(predicate.canonical == "age=18-65&residence=\(places)&sex=male")
    }

    @Test("GRP-09: an area that comes to mean other places is another question")
    func definitions() throws {
        let places = PlaceArea.region(.lombardy).places
        #expect(PlaceArea.canonical(places) == PlaceArea.region(.lombardy).canonical)
        #expect(PlaceArea.canonical(places.reversed() + places) == PlaceArea.canonical(places))
        #expect(PlaceArea.canonical(places.dropLast()) != PlaceArea.canonical(places))
        #expect(PlaceArea.canonical(places + [BelfioreCode("H501")!]) != PlaceArea.canonical(places))
        let cell = try ReleaseCell(
            type: .heartRate, day: CalendarDate("2026-06-01")!, predicate: Predicate(sex: .female),
            price: PrivacyPrice())
        #expect(cell.question == "v1|sex=female|heart-rate[30.0,220.0]/1.0|day:2026-06-01|count,mean")
    }

    @Test("GRP-09: areas of the same people have one canonical form, so that there is one answer about them")
    func canonicalAreas() throws {
        let milan = PlaceArea.place(BelfioreCode("F205")!)
        #expect(PlaceArea.province(try #require(Province(abbreviation: "MI"))).canonical != milan.canonical)
        for region in Region.allCases {
            let provinces = Province.all.filter { $0.region == region }
            let isSame = PlaceArea.region(region).canonical == PlaceArea.province(provinces[0]).canonical
            #expect(isSame == (provinces.count == 1))
        }
    }
}
