import Domain

/// Between which values a personal limit may be (SOS-03b): whatever anybody writes, a state that nobody survives for long is an
/// emergency, and a normal one is none. Each range goes from the extremes of NEWS2 (score 3, adults) to what its score 2 begins
/// with on the safe side, and on the other as far as chronic illness or training explains:
///
/// - heart rate down to 30 (trained hearts at rest: Kusumoto and others, Circulation 2019, 140:e382);
/// - saturation down to 85 (below the second scale's target of 88 to 92);
/// - glucose never below 54 mg/dL (level 2, American Diabetes Association).
///
/// What comes from the own history alone stays in the narrower ranges: no doctor has looked at it.
struct SafeLimits: Sendable, Equatable {
    /// From these years on; for children the limits by age hold.
    static let ageMonthsMin = 192

    let low: ClosedRange<Double>?
    let high: ClosedRange<Double>?

    /// `nil` for types without personal limits.
    init?(_ type: DataType, by origin: ThresholdOrigin = .doctor) {
        let isProposal = origin != .doctor
        switch type {
        case .heartRate: self.init(low: isProposal ? 36...50 : 30...50, high: isProposal ? 110...150 : 100...170)
        case .respirationRate: self.init(low: isProposal ? 7...10 : 5...12, high: isProposal ? 22...30 : 20...35)
        case .oxygenSaturation: self.init(low: isProposal ? 88...93 : 85...94, high: nil)
        case .bloodPressureSystolic where !isProposal: self.init(low: 70...110, high: 140...240)
        case .bodyTemperature where !isProposal: self.init(low: 34...36, high: 38...41)
        case .glucose where !isProposal: self.init(low: 54...80, high: 250...600)
        default: return nil
        }
    }

    private init(low: ClosedRange<Double>?, high: ClosedRange<Double>?) {
        self.low = low
        self.high = high
    }

    static let types: [DataType] = [
        .heartRate, .respirationRate, .bloodPressureSystolic, .oxygenSaturation, .bodyTemperature, .glucose,
    ]
}
