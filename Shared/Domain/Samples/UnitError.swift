/// Why a value with its unit was not taken (ING-01); the description says what to send instead.
public enum UnitError: Error, Equatable, Sendable, CustomStringConvertible {
    case unknown(DataType, String)
    /// A value of at most 1 where percent are meant.
    case fraction(DataType, Double)
    case notANumber(DataType)
    /// Positions are sent as latitude and longitude.
    case notASingleValue(DataType)

    public var description: String {
        switch self {
        case .unknown(let type, let spelling):
            "\(type.name) is not measured in \(TextLimits.quoted(spelling) ?? "this unit"); send it in \"\(type.unit)\"."
        case .fraction(let type, let value):
            "\(type.name) of \(value) with the unit \"%\" looks like a fraction; "
                + "send percent (97), or the fraction with the unit \"1\" (0.97)."
        case .notANumber(let type): "The value of \(type.name) is not a finite number."
        case .notASingleValue(let type): "\(type.name) has no single value; send latitude and longitude."
        }
    }
}
