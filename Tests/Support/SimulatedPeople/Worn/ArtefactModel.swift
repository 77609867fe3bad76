/// What sensors on a living wrist get wrong, and how often. Kinds and sizes are from the literature that each line names; how often
/// they come is not published as such, and is ours, rather too often than too seldom.
public struct ArtefactModel: Sendable {
    /// What the device tells of the sensor beside its readings.
    public struct Tells: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Whether it touches the person.
        public static let contact = Tells(rawValue: 1)
        /// How strongly the wrist moves, each second.
        public static let motion = Tells(rawValue: 2)
        /// Frequency and amplitude of the movement, each second.
        public static let shaking = Tells(rawValue: 4)
        /// Sleep, by the minute.
        public static let sleep = Tells(rawValue: 8)
        public static let all: Tells = [.contact, .motion, .shaking, .sleep]
    }

    public var tells = Tells.all
    /// Bursts of movement an hour; asleep a tenth of it, while busy or under way three times as many.
    public var burstsPerHour = 8.0
    /// Mean length of a burst in seconds; exponential, at most `burstMax`.
    public var burstMean = 6.0
    public var burstMax = 40.0
    /// Standard deviation of the pulse's error in a burst, in beats per minute: mean absolute errors of optical sensors are about
    /// 10 during activity (Bent, Goldstein, Kibbe and Dunn, npj Digital Medicine 2020, 3:18).
    public var pulseError = 13.0
    /// The error holds for so many seconds: the devices average.
    public var pulseMemory = 4.0
    /// Share of the bursts of a walk or run in which the sensor follows the steps instead of the pulse (signal crossover, the same
    /// paper).
    public var crossover = 0.15
    /// Mean of the fall of the saturation in a burst, in percents (Petterson, Begnoche and Graybeal, Anesthesia & Analgesia
    /// 2007, 105:S78).
    public var saturationFall = 8.0
    /// Parts of the seconds of a loose sensor in which it still reads something: nonsense between all extremes.
    public var looseReadings = 0.2
    /// The strap slips as the arm moves.
    public var slipsMove = true
    /// Losses of the radio link: mean seconds between and in them (Gilbert, Bell System Technical Journal 1960, 39:1253).
    public var linkUp = 1200.0
    public var linkDown = 10.0
    /// Days between two times at which the thermometer comes off, and hangs under a sleeve for two hours.
    public var thermometerDays = 5.0
    /// The thermometer follows what it touches with this delay, in seconds: it is cold when the watch is put on. Ours.
    public var thermometerLag = 400.0
    /// In °C.
    public var roomTemperature = 23.0
    public var sleeveTemperature = 30.0

    public init() {}

    /// Sensors without any fault.
    public static var none: ArtefactModel {
        var model = ArtefactModel()
        model.burstsPerHour = 0
        model.looseReadings = 0
        model.linkUp = .infinity
        model.thermometerDays = .infinity
        model.thermometerLag = 0
        return model
    }
}
