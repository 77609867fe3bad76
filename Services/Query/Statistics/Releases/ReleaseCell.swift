import Domain
import Primitives

/// One cell of a question: a data type on one day, for the people of a predicate.
struct ReleaseCell: Hashable, Sendable {
    /// Counts what a question means beyond what it spells out: how ages are counted, what a contribution is, how the noise is
    /// made. Raise it with each change of these: the same words are then another question, with a charge and an answer of its
    /// own.
    static let definitions = 1

    let type: DataType
    let day: CalendarDate
    let bounds: GroupBounds
    /// The canonical question, under which the answer is kept for everybody who asks it. It spells out all that the answer
    /// depends on: the definitions, the places that are meant, the bounds of the data type.
    let question: String
    /// What a new cell costs; for one that is stored already its own price holds.
    let price: Int64

    /// Errors: there is no noise for the price, or no group statistics of the type. Nothing was charged then.
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

/// What is kept of a cell.
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
    /// What was charged for it; the noise matches it, whatever a new cell costs today.
    let price: Int64
    var state: State
}
