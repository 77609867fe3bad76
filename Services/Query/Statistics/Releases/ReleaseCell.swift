import Domain
import Primitives

/// One cell of a question: a data type on one day, for the people of a predicate.
struct ReleaseCell: Hashable, Sendable {
    /// The version of what a question means beyond its text: how ages are counted, what a contribution is, how the
    /// noise is made. Raise it with each change of these: the same text is then another question, with a charge and an
    /// answer of its own.
    static let definitions = 1

    let type: DataType
    let day: CalendarDate
    let bounds: GroupBounds
    /// The canonical question, under which the answer is kept for all who ask it. It holds everything that the answer
    /// depends on: the definitions, the places, the bounds of the data type.
    let question: String
    /// The price of a new cell; a cell that is stored keeps its own price.
    let price: Int64

    /// Errors: no noise matches the price, or there are no group statistics of the type. Nothing was charged then.
    init(type: DataType, day: CalendarDate, predicate: Predicate, price: PrivacyPrice) throws(PrivacyPriceError) {
        guard let bounds = type.groupBounds else { throw PrivacyPriceError(price: price.day(day), sensitivity: 0) }
        self.type = type
        self.day = day
        self.bounds = bounds
        self.price = price.day(day)
        _ = try CellNoise(price: self.price, bounds: bounds)
        let contribution = "\(type.name)[\(bounds.lower),\(bounds.upper)]/\(bounds.step)"
        question = "v\(Self.definitions)|\(predicate.canonical)|\(contribution)|day:\(day)|count,mean"
    }

    var month: CalendarDate { PrivacyPrice.firstDay(ofMonthOf: day) }
}

/// A cell as it is stored.
struct ReleasedCell: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case pending
        /// Not more than 1000 people.
        case withheld
        case given(Released)
    }

    let id: Int64
    let question: String
    let month: CalendarDate
    /// The price that was charged for it. Its noise matches that, whatever a new cell costs today.
    let price: Int64
    var state: State
}
