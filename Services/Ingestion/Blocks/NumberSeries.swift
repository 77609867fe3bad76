/// Codes a column of numbers by what the ones before lead to expect: a level that follows each number by a part of its
/// surprise, and a slope that does so, too (Holt 1957). Which parts suit the column best is found by trying: the number
/// before (delta), a straight line, a slow mean beneath noise, or a clock whose ticks jitter or are left out.
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
        let (model, tick, hasSkips) = best(for: steps, ticks(of: steps))
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
            result = greatestCommonDivisor(result, (number &- first).magnitude)
        }
        return result > UInt64(Int64.max) ? 1 : result
    }

    /// How far apart ticks may be, in 1/256 of a step: the mean of neighbours that are about as far from each other as most are,
    /// for a clock that jitters; and what the frequent distances are multiples of, for one that leaves ticks out.
    private static func ticks(of steps: [Int64]) -> [Int64] {
        let distances = zip(steps.dropFirst(), steps).map { $0 &- $1 }.sorted()
        guard !distances.isEmpty else { return [] }
        let median = distances[distances.count / 2]
        guard median > 0, median < 1 << 30 else { return [] }
        let usual = distances.filter { $0 > median / 2 && $0 < median + median / 2 }
        let mean = usual.reduce(0, +) << 8 / Int64(max(1, usual.count))
        var ticks = [mean]
        for divisor in commonDivisors(ofFrequent: distances) where !ticks.contains(divisor << 8) {
            ticks.append(divisor << 8)
        }
        return ticks
    }

    /// Of the most frequent of ordered numbers, of those that are half of all and those that are three quarters: without those
    /// that are 1 only.
    private static func commonDivisors(ofFrequent numbers: [Int64]) -> [Int64] {
        var counts: [(number: Int64, count: Int)] = []
        for number in numbers {
            if counts.last?.number == number { counts[counts.count - 1].count += 1 } else { counts.append((number, 1)) }
        }
        counts.sort { $0.count > $1.count }
        var (divisors, divisor, covered) = ([Int64](), UInt64(0), 0)
        for (number, count) in counts {
            guard 1..<1 << 30 ~= number else { break }
            divisor = greatestCommonDivisor(divisor, UInt64(number))
            guard divisor > 1 else { break }
            let before = covered
            covered += count
            for wanted in [numbers.count * 2, numbers.count * 3] where before * 4 < wanted && covered * 4 >= wanted {
                divisors.append(Int64(divisor))
            }
        }
        return divisors
    }

    private static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (result, rest) = (first, second)
        while rest > 0 { (result, rest) = (rest, result % rest) }
        return result
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

    /// The model, and for a clock the tick, whose surprises take the fewest bits, by the first numbers.
    private static func best(for steps: [Int64], _ ticks: [Int64]) -> (model: Int, tick: Int64, hasSkips: Bool) {
        var best = (model: 0, tick: Int64(0), bits: UInt64.max)
        let tried = Array(steps.prefix(triedMax))
        for (number, model) in models.enumerated() {
            for tick in model.isClock ? ticks : [0] {
                var sizes = Sizes()
                run(model, tick, tried) { sizes.add(Zigzag.encode($0), skipped: UInt64($1)) }
                let bits = sizes.total
                if bits < best.bits { best = (number, tick, bits) }
            }
        }
        var hasSkips = false
        if models[best.model].isClock {
            run(models[best.model], best.tick, steps) { hasSkips = hasSkips || $1 > 0 }
        }
        return (best.model, best.tick, hasSkips)
    }

    /// About what surprises and skips take, in 1/16 of a bit: the entropy of small ones, the length of others.
    private struct Sizes {
        /// Numbers below it are counted; of others the last place has the count.
        private static let large = 63

        private var largeSizes: UInt64 = 0
        /// How often each surprise occurs, then each number of skips. An array, since the compiler copies an `InlineArray` where
        /// it is read, which took half the time of sealing.
        private var counts = [UInt64](repeating: 0, count: 2 * (large + 1))

        @inline(__always)
        mutating func add(_ surprise: UInt64, skipped: UInt64) {
            let large = UInt64(Self.large)
            counts[Int(min(surprise, large))] += 1
            counts[Self.large + 1 + Int(min(skipped, large))] += 1
            if surprise >= large { largeSizes &+= Self.size(surprise) }
            if skipped >= large { largeSizes &+= Self.size(skipped) }
        }

        var total: UInt64 {
            largeSizes &+ Self.together(counts[...Self.large]) &+ Self.together(counts[(Self.large + 1)...])
        }

        /// Of numbers of which each occurs so often.
        private static func together(_ counts: ArraySlice<UInt64>) -> UInt64 {
            let all = counts.reduce(0, +)
            var result: UInt64 = 0
            for count in counts where count > 0 { result += count * (size(all - 1) - size(count - 1)) }
            return result
        }

        /// About 16 log2(n + 1).
        private static func size(_ number: UInt64) -> UInt64 {
            let shifted = number &+ 1 == 0 ? number : number + 1
            let zeros = shifted.leadingZeroBitCount
            return UInt64(63 - zeros) << 4 + ((shifted << UInt64(zeros)) << 1) >> 60
        }
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
