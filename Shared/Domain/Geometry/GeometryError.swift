/// Why a shape could not be made or covered; the description is fit to show to who drew it.
public enum GeometryError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooFewPoints(min: Int)
    case tooManyPoints(max: Int)
    case noLength
    case polygonAroundPole
    case tooManyCells(max: Int)

    public var description: String {
        switch self {
        case .tooFewPoints(let min): "At least \(min) points are needed."
        case .tooManyPoints(let max): "At most \(max) points are possible."
        case .noLength: "All points of the path are the same."
        case .polygonAroundPole: "A polygon cannot go around a pole or the whole Earth."
        case .tooManyCells(let max): "The area is too large: it has more than \(max) cells of 1 km."
        }
    }
}
