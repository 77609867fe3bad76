import Domain
import Testing

/// ACC-02: birthplaces and residences are real ones, and are shown by name.
@Suite struct PlaceTableTests {
    let table = PlaceTable.standard

    func place(_ code: String) throws -> Place { try #require(table[try BelfioreCode(validating: code)]) }

    @Test("ACC-02: every row is read; today's municipalities have a province, and everything is where it can be")
    func whole() {
        #expect(table.places.count == 10_086)
        #expect(Set(table.places.map(\.code)).count == table.places.count)
        let municipalities = table.places.filter { !$0.isState }
        #expect(municipalities.filter(\.exists).count == 7894)
        #expect(municipalities.filter { $0.exists && $0.province == nil }.isEmpty)
        #expect(table.places.filter(\.isState).count == 222)
        let italy = BoundingBox(south: 35.4, west: 6.6, north: 47.1, east: 18.6)
        for one in municipalities where one.exists {
            #expect(italy?.contains(one.coordinate) == true, "\(one.name)")
        }
        #expect(Set(municipalities.filter(\.exists).compactMap(\.province)) == Set(Province.all))
    }

    @Test("A capital of a province is in its own province, by the name that the province has for it")
    func capitals() throws {
        for province in Province.all {
            let capital = try #require(table[province.capital])
            #expect(capital.province == province)
            #expect(capital.name.hasPrefix(province.capitalName.prefix(4)), "\(capital.name) \(province.capitalName)")
        }
    }

    @Test("Names, years and places of some, looked up elsewhere")
    func some() throws {
        let milan = try place("F205")
        #expect((milan.name, milan.region, milan.since, milan.until) == ("Milano", .lombardy, 1873, nil))
        #expect(milan.coordinate.distance(to: try #require(Coordinate(latitude: 45.4642, longitude: 9.19))) < 2000)
        let bolzano = try place("A952")
        #expect(bolzano.otherNames == ["Bozen"])
        let pola = try place("G778")
        #expect((pola.name, pola.until, pola.province) == ("Pola", 1947, nil))
        #expect(pola.coordinate.distance(to: try #require(Coordinate(latitude: 44.87, longitude: 13.85))) < 5000)
        // Merged in 2016.
        let cutigliano = try place("D235")
        #expect(!cutigliano.exists)
        let france = try place("Z110")
        #expect((france.name, france.isState, france.province) == ("Francia", true, nil))
        #expect(try place("Z105").until == 1993)
        #expect(france.title(in: .english) == "France" && milan.title(in: .english) == "Milano (MI)")
        #expect(pola.title(in: .italian) == "Pola (PL)")
        #expect(table[try BelfioreCode(validating: "F129")] == nil)
    }

    @Test(
        "A search finds whole names first, then beginnings, then words in their order, the largest first; accents make no difference",
        arguments: [
            ("milano", "Milano"), ("ROMA", "Roma"), ("forli", "Forlì"), ("forlì", "Forlì"), ("forli\u{300}", "Forlì"),
            ("bozen", "Bolzano"),
            ("sant agata di mil", "Sant'Agata di Militello"), ("Sant’Agata di Mil", "Sant'Agata di Militello"),
            ("tirano", "Tirano"),
            ("france", "Francia"), ("cina", "Repubblica Popolare Cinese"), ("china", "Repubblica Popolare Cinese"),
            ("reggio emilia", "Reggio nell'Emilia"), ("reggio calabria", "Reggio di Calabria"),
            ("calabria", "Reggio di Calabria"),
        ])
    func search(_ text: String, _ name: String) {
        #expect(table.search(text).first?.name == name)
    }

    @Test("What is no name finds nothing, and a search is limited and can be narrowed")
    func limits() {
        for text in ["", " ", "'", "x\u{0}q", String(repeating: "a", count: 100_000), "日本"] {
            #expect(table.search(text).isEmpty)
        }
        #expect(table.search("a", limit: 1000).count == PlaceTable.foundMax)
        #expect(table.search("milan", where: { $0.isState }).isEmpty)
        #expect(table.search("a", limit: 0).isEmpty && table.search("a", limit: -1).isEmpty)
        #expect(
            table.search("san", limit: 50, where: { $0.exists && $0.region == .sardinia }).allSatisfy {
                $0.region == .sardinia
            })
    }
}
