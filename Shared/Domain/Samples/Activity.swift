/// What somebody was doing, and whether under a roof (ING-01): the meaning of the values of `DataType.activity`.
public struct Activity: Hashable, Sendable {
    /// The number is part of the code that is stored: never change or reuse one.
    public enum Kind: Int, Sendable, CaseIterable {
        case still, walking, running, cycling, swimming, hiking, rowing, strengthTraining, dancing, skiing, driving,
            other
    }
    public enum Place: Int, Sendable, CaseIterable {
        case unknown, indoor, outdoor
    }

    public let kind: Kind
    public let place: Place

    static let codeMax = Kind.allCases.count * Place.allCases.count - 1

    public init(_ kind: Kind, _ place: Place = .unknown) {
        self.kind = kind
        self.place = place
    }

    /// The activity of a stored value; `nil` for a value that is none.
    public init?(value: Double) {
        guard let code = Int(exactly: value), code >= 0, let kind = Kind(rawValue: code / Place.allCases.count),
            let place = Place(rawValue: code % Place.allCases.count)
        else { return nil }
        self.init(kind, place)
    }

    /// The value that is stored.
    public var value: Double { Double(kind.rawValue * Place.allCases.count + place.rawValue) }
}
