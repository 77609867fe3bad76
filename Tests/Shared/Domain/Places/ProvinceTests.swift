import Domain
import Testing

@Suite struct ProvinceTests {
    @Test("GRP-01: there are 107 provinces in 20 regions, each with its own capital and abbreviation")
    func table() {
        #expect(Province.all.count == 107)
        #expect(Set(Province.all.map(\.capital)).count == 107)
        #expect(Set(Province.all.map(\.abbreviation)).count == 107)
        #expect(Set(Province.all.map(\.region)) == Set(Region.allCases))
        #expect(Region.allCases.count == 20)
        #expect(Province.all.filter { $0.region == .lombardy }.count == 12)
    }

    @Test(
        "GRP-01: capitals are known by the codes that tax offices use",
        arguments: [
            ("F205", "MI", Region.lombardy), ("H501", "RM", .lazio), ("L219", "TO", .piedmont),
            ("A326", "AO", .aostaValley), ("B745", "SU", .sardinia), ("L746", "VB", .piedmont),
        ])
    func capital(code: String, abbreviation: String, region: Region) throws {
        let capital = try #require(BelfioreCode(code))
        let province = try #require(Province(capital: capital))
        #expect(province.abbreviation == abbreviation)
        #expect(province.region == region)
        #expect(Province(abbreviation: abbreviation.lowercased()) == province)
    }

    @Test("GRP-01: a region is found by its name in any spelling of case and separators")
    func regions() {
        #expect(Region(name: "Emilia Romagna") == .emiliaRomagna)
        #expect(Region(name: "valle-d-aosta") == .aostaValley)
        #expect(Region(name: "Padania") == nil)
        #expect(Province(abbreviation: "XX") == nil)
        for region in Region.allCases { #expect(Region(name: region.rawValue.uppercased()) == region) }
    }
}
