/// The limits beyond which a vital sign is critical, in the canonical unit of its type.
struct VitalLimits: Sendable, Hashable {
    /// One end: the value itself belongs to the critical side when `isInclusive`.
    struct Bound: Sendable, Hashable {
        let value: Double
        let isInclusive: Bool
    }

    let low: Bound?
    let high: Bound?

    /// `atMost` and `atLeast` are critical themselves.
    init(atMost low: Double?, atLeast high: Double?) {
        self.low = low.map { Bound(value: $0, isInclusive: true) }
        self.high = high.map { Bound(value: $0, isInclusive: true) }
    }

    /// `atMost` is critical itself, `above` is not.
    init(atMost low: Double, above high: Double) {
        self.low = Bound(value: low, isInclusive: true)
        self.high = Bound(value: high, isInclusive: false)
    }

    /// `below` and `above` are normal themselves.
    init(below low: Double?, above high: Double?) {
        self.low = low.map { Bound(value: $0, isInclusive: false) }
        self.high = high.map { Bound(value: $0, isInclusive: false) }
    }

    init(low: Bound?, high: Bound?) {
        self.low = low
        self.high = high
    }

    /// With the upper end moved up to `limit`, which itself is normal; never down.
    func raisingHigh(above limit: Double) -> VitalLimits {
        guard let high, high.value < limit else { return self }
        return VitalLimits(low: low, high: Bound(value: limit, isInclusive: false))
    }

    /// Without an upper end; `nil` when nothing is left.
    var withoutHigh: VitalLimits? { low.map { VitalLimits(low: $0, high: nil) } }

    /// With the lower end moved down to `limit`, which is critical itself; never up.
    func loweringLow(to limit: Double?) -> VitalLimits {
        guard let limit, let low, low.value > limit else { return self }
        return VitalLimits(low: Bound(value: limit, isInclusive: true), high: high)
    }

    /// With both ends moved towards each other: what is beyond them is not clearly normal.
    func widened(by margin: Double) -> VitalLimits {
        VitalLimits(
            low: low.map { Bound(value: $0.value + margin, isInclusive: $0.isInclusive) },
            high: high.map { Bound(value: $0.value - margin, isInclusive: $0.isInclusive) })
    }

    /// With the ends moved apart: what is beyond them is worse than critical.
    func narrowed(low below: Double, high above: Double) -> VitalLimits {
        VitalLimits(
            low: low.map { Bound(value: $0.value - below, isInclusive: $0.isInclusive) },
            high: high.map { Bound(value: $0.value + above, isInclusive: $0.isInclusive) })
    }

    /// Whether it is the upper end that `value` is beyond.
    func isHigh(_ value: Double) -> Bool { VitalLimits(low: nil, high: high).isCritical(value) }

    func isCritical(_ value: Double) -> Bool {
        if let low, value < low.value || low.isInclusive && value == low.value { return true }
        if let high, value > high.value || high.isInclusive && value == high.value { return true }
        return false
    }

    /// The end that `value` is beyond, as people write it: "<= 40"; `nil` for a normal value.
    func exceeded(by value: Double) -> String? {
        guard isCritical(value) else { return nil }
        return text(isHigh: low.map { value > $0.value } ?? true)
    }

    /// One end as people write it; `nil` when there is none.
    func text(isHigh: Bool) -> String? {
        isHigh
            ? high.map { "\($0.isInclusive ? ">=" : ">") \($0.value)" }
            : low.map { "\($0.isInclusive ? "<=" : "<") \($0.value)" }
    }
}
