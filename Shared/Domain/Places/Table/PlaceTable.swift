import Primitives

/// Every Italian municipality since 1861, abolished ones too, and the foreign states: what a fiscal code may name as the
/// birthplace (ACC-02). Codes and years are those of ANPR, the national register of residents.
public struct PlaceTable: Sendable {
    /// Read once, within some milliseconds, when it is first asked for.
    public static let standard = PlaceTable(rows)

    /// The results of a search, at most.
    public static let foundMax = 50

    /// In the order of what a search finds: those of today first, the largest first.
    public let places: [Place]
    private let byCode: [BelfioreCode: Int]
    private let byProvince: [String: [BelfioreCode]]
    /// The names of each place as they are compared.
    private let keys: [[SearchKey]]

    public subscript(code: BelfioreCode) -> Place? { byCode[code].map { places[$0] } }

    /// The municipalities of a province, those that are no more among them.
    public func codes(in province: Province) -> [BelfioreCode] { byProvince[province.abbreviation] ?? [] }

    public func codes(in region: Region) -> [BelfioreCode] {
        Province.all.filter { $0.region == region }.flatMap(codes)
    }

    /// Rows of `code|province|since|until|latitude|longitude|name|…`, of states with the English name second, degrees in
    /// thousandths. One that cannot be read is a fault of the table, which its test finds.
    init(_ rows: StaticString) {
        var places: [Place] = []
        var byCode: [BelfioreCode: Int] = [:]
        rows.withUTF8Buffer { buffer in
            for line in buffer.split(separator: UInt8(ascii: "\n")) {
                guard let place = Place(row: line) else { continue }
                byCode[place.code] = places.count
                places.append(place)
            }
        }
        self.places = places
        self.byCode = byCode
        byProvince = Dictionary(grouping: places.filter { !$0.isState }) { $0.provinceAbbreviation ?? "" }
            .mapValues { $0.map(\.code) }
        keys = places.map { ([$0.name, $0.englishName] + $0.otherNames).map { SearchKey($0) } }
    }

    /// The places that a text may mean, as somebody types it: each of its words begins one of the name's, in their order (`reggio
    /// emilia` is Reggio nell'Emilia). Those of exactly that name come first, then those whose name begins so. Upper and lower case,
    /// accents and what stands between words make no difference. At most `limit`.
    public func search(_ text: String, limit: Int = 10, where isWanted: (Place) -> Bool = { _ in true }) -> [Place] {
        let wanted = SearchKey(text)
        let limit = min(limit, Self.foundMax)
        guard !wanted.isEmpty, limit > 0 else { return [] }
        var found: [[Place]] = Array(repeating: [], count: SearchKey.Fit.allCases.count)
        for (place, names) in zip(places, keys) {
            guard let fit = names.compactMap({ $0.fit(wanted) }).min(), isWanted(place) else { continue }
            found[fit.rawValue].append(place)
        }
        return Array(found.joined().prefix(limit))
    }
}

extension Place {
    fileprivate init?(row: Slice<UnsafeBufferPointer<UInt8>>) {
        let parts = row.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard parts.count >= 7, let code = BelfioreCode(parts[0]), let latitude = Int(parts[4]),
            let longitude = Int(parts[5]),
            let coordinate = Coordinate(latitude: Double(latitude) / 1000, longitude: Double(longitude) / 1000)
        else { return nil }
        let others = code.isForeignState ? 8 : 7
        guard parts.count >= others else { return nil }
        self.init(
            code: code, name: parts[6], englishName: parts[others - 1], otherNames: Array(parts[others...]),
            provinceAbbreviation: parts[1].isEmpty ? nil : parts[1], since: Int(parts[2]), until: Int(parts[3]),
            coordinate: coordinate)
    }
}
