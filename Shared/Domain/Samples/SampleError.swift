/// Why one sample was not taken (ING-02); the description is fit to show to who sent it.
public enum SampleError: Error, Equatable, Sendable, CustomStringConvertible {
    case unit(UnitError)
    case implausible(DataType, Double)
    case duration(Duration)
    case future(ahead: Duration)
    case clockNeverSet
    case coordinate
    case noFix
    case altitude(Double)
    case accuracy(Double)

    /// The name by which samples refused for the same reason are counted, in kebab case.
    public var reason: String {
        switch self {
        case .unit: "unit"
        case .implausible: "implausible"
        case .duration: "duration"
        case .future: "future"
        case .clockNeverSet: "clock-never-set"
        case .coordinate: "coordinate"
        case .noFix: "no-fix"
        case .altitude: "altitude"
        case .accuracy: "accuracy"
        }
    }

    public var description: String {
        switch self {
        case .unit(let error): error.description
        case .implausible(let type, let value):
            "\(type.name) of \(value) \(type.unit) is outside of what is possible, "
                + "\(type.plausible.lowerBound) to \(type.plausible.upperBound)."
        case .duration(let duration):
            "A sample lasts 0 to \(Measurement.durationMax.components.seconds) s, not \(duration.components.seconds) s."
        case .future(let ahead):
            "The time is \(ahead.components.seconds) s ahead of now; at most \(SampleClock.aheadMax.components.seconds) s are taken."
        case .clockNeverSet: "The time is before 7 January 1980: the device's clock has not been set."
        case .coordinate: "Latitude must be from -90 to 90 and longitude from -180 to 180 degrees."
        case .noFix: "0° N 0° E is what a receiver without a fix reports."
        case .altitude(let metres): "An altitude of \(metres) m is outside of -500 to 12000 m."
        case .accuracy(let metres): "An accuracy of \(metres) m is outside of 0 to 100000 m."
        }
    }
}
