/// What a Belfiore code stands for: a municipality of Italy, one that is no more, or a foreign state.
public struct Place: Sendable, Equatable {
    public let code: BelfioreCode
    /// In Italian, as it is written today, or was last: `Milano`, `Francia`.
    public let name: String
    /// In English; of a municipality the same as `name`.
    public let englishName: String
    /// Other names it has or had: in the other language that is spoken there, before it was renamed, what people call it.
    public let otherNames: [String]
    /// Two letters: the province it belongs to today, or belonged to last; `nil` for a state. Italy gave up some in 1947.
    public let provinceAbbreviation: String?
    /// The first year of the municipality or state; `nil` where it is as old as the Kingdom of Italy (1861) or not known.
    public let since: Int?
    /// The year in which it ended; `nil` while it is there.
    public let until: Int?
    /// In the middle, for a state of its capital. Of a small municipality that is no more it is the middle of its province.
    public let coordinate: Coordinate

    /// `nil` for a state, and where there is no such province today.
    public var province: Province? { provinceAbbreviation.flatMap(Province.init(abbreviation:)) }
    public var region: Region? { province?.region }
    public var isState: Bool { code.isForeignState }
    public var exists: Bool { until == nil }

    /// As a reader knows it: `Milano (MI)`, `Francia`.
    public func title(in language: Language) -> String {
        if isState { return language == .italian ? name : englishName }
        return provinceAbbreviation.map { "\(name) (\($0))" } ?? name
    }
}
