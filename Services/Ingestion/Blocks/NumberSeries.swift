/// Codes a column of numbers by what the ones before lead to expect: a level that follows each number by a part of its
/// surprise, and a slope that does so, too (Holt 1957). Which parts suit the column best is found by trying: the number
/// before (delta), a straight line, a slow mean beneath noise, or a clock whose ticks jitter.
///
/// ```
/// series  = step:exact [first:exact [model:4 bits [slope:exact, when the model has one] [skips:1 bit] number*]]
/// number  = [how many slopes are skipped] the surprise in steps, in zigzag
/// ```
/// With the step 0 all numbers are equal to the first. All arithmetic wraps, so that any 64-bit numbers are coded and any
/// bytes are safe to read.
enum NumberSeries {
    /// How much of a surprise goes into the level and the slope, in sixteenths.
    private struct Model {
        let level: Int64
        let slope: Int64
        /// Begins with a slope, to which it returns after a jump.
        var isClock = false
    }

    private static let models = [
        Model(level: 16, slope: 0), Model(level: 16, slope: 16), Model(level: 16, slope: 8), Model(level: 12, slope: 0),
        Model(level: 8, slope: 0), Model(level: 4, slope: 0), Model(level: 2, slope: 0), Model(level: 1, slope: 0),
        Model(level: 12, slope: 4), Model(level: 8, slope: 1), Model(level: 0, slope: 0, isClock: true),
        Model(level: 1, slope: 0, isClock: true), Model(level: 4, slope: 0, isClock: true),
        Model(level: 16, slope: 0, isClock: true),
    ]
    private static let modelBits = 4
    /// Numbers by which a model is chosen.
    private static let triedMax = 1000

    /// What is expected next. Level and slope are in 1/256 of a step.
    private struct Expectation {
        private let model: Model
        private let slopeBegin: Int64
        private var level: Int64
        private var slope: Int64
        private var typical: Int64 = 0

        init(_ model: Model, slope: Int64) {
            self.model = model
            slopeBegin = slope
            self.slope = slope
            // The first number is no surprise.
            level = 0 &- slope
        }

        @inline(__always)
        var next: Int64 { (level &+ slope &+ 128) >> 8 }

        /// So many slopes later.
        @inline(__always)
        mutating func skip(_ count: Int64) { level &+= slope &* count }

        /// The number was the expected one and this surprise.
        @inline(__always)
        mutating func learn(_ surprise: Int64) {
            let expected = level &+ slope
            let size = Int64(min(surprise.magnitude, 1 << 40))
            if surprise.magnitude > UInt64(typical) &+ 64 {
                level = (((expected &+ 128) >> 8) &+ surprise) << 8
                slope = slopeBegin
            } else {
                level = expected &+ (surprise &* model.level) << 4
                slope &+= (surprise &* model.slope) << 4
            }
            // Eight times the mean size.
            typical += (8 * size - typical) >> 4
        }

        /// How many slopes a surprise is about, for a clock.
        func skips(_ surprise: Int64) -> Int64 {
            let tick = slope >> 8
            guard tick > 1, surprise > tick / 2, surprise < 1 << 50 else { return 0 }
            return (surprise + tick / 2) / tick
        }
    }

    // MARK: Writing

    static func encode(_ numbers: [Int64], _ encoder: inout RangeEncoder) {
        guard let first = numbers.first else { return }
        let step = step(of: numbers, first)
        ExactNumber.encode(step, &encoder)
        ExactNumber.encode(Zigzag.encode(first), &encoder)
        guard step > 0 else { return }
        let steps = step == 1 ? numbers.map { $0 &- first } : numbers.map { ($0 &- first) / Int64(step) }
        let tick = tick(of: steps)
        let (model, hasSkips) = best(for: steps, tick)
        encoder.encode(raw: UInt64(model), count: modelBits)
        if models[model].isClock {
            ExactNumber.encode(UInt64(tick), &encoder)
            encoder.encode(raw: hasSkips ? 1 : 0, count: 1)
        }
        var (surprises, skips) = (NumberModel(), NumberModel())
        run(models[model], tick, steps) { surprise, skipped in
            if hasSkips { skips.encode(UInt64(skipped), &encoder) }
            surprises.encode(signed: surprise, &encoder)
        }
    }

    /// The greatest number that all differences are multiples of; 0 when all numbers are equal.
    private static func step(of numbers: [Int64], _ first: Int64) -> UInt64 {
        var result: UInt64 = 0
        for number in numbers where result != 1 {
            var rest = (number &- first).magnitude
            while rest > 0 { (result, rest) = (rest, result % rest) }
        }
        return result > UInt64(Int64.max) ? 1 : result
    }

    /// The mean distance of ticks in 1/256 of a step: of neighbours that are about as far from each other as most are.
    private static func tick(of steps: [Int64]) -> Int64 {
        let distances = zip(steps.dropFirst(), steps).map { $0 &- $1 }.sorted()
        guard !distances.isEmpty else { return 0 }
        let median = distances[distances.count / 2]
        guard median > 0, median < 1 << 30 else { return 0 }
        let usual = distances.filter { $0 > median / 2 && $0 < median + median / 2 }
        return usual.reduce(0, +) << 8 / Int64(max(1, usual.count))
    }

    /// Calls `use` with each surprise and the skipped ticks before it.
    private static func run(_ model: Model, _ tick: Int64, _ steps: [Int64], _ use: (Int64, Int64) -> Void) {
        var expectation = Expectation(model, slope: model.isClock ? tick : 0)
        for step in steps {
            var surprise = step &- expectation.next
            let skipped = model.isClock ? expectation.skips(surprise) : 0
            if skipped > 0 {
                expectation.skip(skipped)
                surprise = step &- expectation.next
            }
            use(surprise, skipped)
            expectation.learn(surprise)
        }
    }

    /// The model whose surprises take the fewest bits, by the first numbers.
    private static func best(for steps: [Int64], _ tick: Int64) -> (model: Int, hasSkips: Bool) {
        var best = (model: 0, bits: UInt64.max)
        let tried = Array(steps.prefix(triedMax))
        for (number, model) in models.enumerated() where !model.isClock || tick > 0 {
            var bits: UInt64 = 0
            run(model, tick, tried) { surprise, skipped in
                bits &+= size(Zigzag.encode(surprise)) &+ size(UInt64(skipped))
            }
            if bits < best.bits { best = (number, bits) }
        }
        var hasSkips = false
        if models[best.model].isClock {
            run(models[best.model], tick, steps) { hasSkips = hasSkips || $1 > 0 }
        }
        return (best.model, hasSkips)
    }

    /// About 16 log2(n + 1).
    private static func size(_ number: UInt64) -> UInt64 {
        let shifted = number &+ 1 == 0 ? number : number + 1
        let zeros = shifted.leadingZeroBitCount
        return UInt64(63 - zeros) << 4 + ((shifted << UInt64(zeros)) << 1) >> 60
    }

    // MARK: Reading

    static func decode(_ count: Int, _ decoder: inout RangeDecoder) throws(SampleCodecError) -> [Int64] {
        guard count > 0 else { return [] }
        let step = ExactNumber.decode(&decoder)
        guard step <= UInt64(Int64.max) else { throw .malformed("too large a step") }
        let first = Zigzag.decode(ExactNumber.decode(&decoder))
        guard step > 0 else { return [Int64](repeating: first, count: count) }
        let number = Int(decoder.decode(raw: modelBits))
        guard number < models.count else { throw .malformed("an unknown model") }
        let model = models[number]
        var (tick, hasSkips) = (Int64(0), false)
        if model.isClock {
            tick = Int64(truncatingIfNeeded: ExactNumber.decode(&decoder))
            hasSkips = decoder.decode(raw: 1) == 1
        }
        let stepSigned = Int64(step)
        return [Int64](unsafeUninitializedCapacity: count) { numbers, written in
            // Copies, so that they stay in registers.
            var source = decoder
            var expectation = Expectation(model, slope: tick)
            var (surprises, skips) = (NumberModel(), NumberModel())
            for index in 0..<count {
                if hasSkips {
                    let skipped = skips.decode(&source)
                    if skipped > 0 { expectation.skip(Int64(truncatingIfNeeded: skipped)) }
                }
                let surprise = surprises.decodeSigned(&source)
                numbers[index] = first &+ (expectation.next &+ surprise) &* stepSigned
                expectation.learn(surprise)
            }
            decoder = source
            written = count
        }
    }
}

/// A number by itself, of any size: its length, then its bits.
enum ExactNumber {
    static func encode(_ number: UInt64, _ encoder: inout RangeEncoder) {
        let length = UInt64.bitWidth - number.leadingZeroBitCount
        encoder.encode(raw: UInt64(length), count: 7)
        encoder.encode(raw: number, count: length)
    }

    static func decode(_ decoder: inout RangeDecoder) -> UInt64 {
        decoder.decode(raw: Int(min(decoder.decode(raw: 7), 64)))
    }
}
