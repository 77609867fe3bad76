/// How values of one unit become values of the canonical one.
public struct UnitConversion: Sendable {
    let isIdentity: Bool
    /// Whether values above 0 and up to 1 are refused: percent were asked for, and they look like fractions.
    public let isFractionRefused: Bool
    let factor: Double
    let added: Double
    let subtracted: Double
    let divisor: Double

    /// A value that is not a finite number stays none.
    public func canonical(_ value: Double) -> Double {
        isIdentity ? value : (value * factor + added - subtracted) / divisor
    }
}
