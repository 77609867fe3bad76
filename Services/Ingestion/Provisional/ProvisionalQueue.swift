import Contracts
import Primitives
import Reactor

/// Uploads that wait to be passed on, those of a device in their order. Bounded: of a device the oldest give way to its newest,
/// and when all together are too many the oldest of all.
struct ProvisionalQueue {
    struct Item: Sendable {
        let device: UUID
        /// The device's own number of the upload.
        let number: Int64
        let receivedAt: Deadline
        let samples: [Ingestion.LiveSamples]

        var count: Int { samples.reduce(0) { $0 + $1.series.reduce(0) { $0 + $1.count } } }
    }

    enum Outcome: Equatable {
        case added
        /// It was added before, and is waiting, under way, or was passed on.
        case known
    }

    /// Uploads of a device; at one a second, half a minute.
    static let deviceMax = 32
    static let uploadsMax = 20_000
    /// In all uploads together, about 100 bytes each.
    static let samplesMax = 1_000_000
    /// Older ones bring no ambulance any more (`Monitor.backlogMax` of the dispatcher).
    static let ageMax = Duration.seconds(300)
    /// Numbers of a device's uploads that are remembered.
    static let numbersMax = 64
    /// Of so many devices.
    static let devicesMax = 100_000

    private let uploadsMax: Int
    private let samplesMax: Int
    private var waiting: [UUID: [Item]] = [:]
    /// A device for each item that waits, in the order of their arrival, from `first` on.
    private var order: [UUID] = []
    private var first = 0
    private var known: GenerationNumbers
    private(set) var count = 0
    private(set) var samples = 0
    /// That had to give way.
    private(set) var dropped = 0

    init(uploadsMax: Int = Self.uploadsMax, samplesMax: Int = Self.samplesMax) {
        self.uploadsMax = uploadsMax
        self.samplesMax = samplesMax
        known = GenerationNumbers(devicesMax: Self.devicesMax, numbersMax: Self.numbersMax)
    }

    mutating func add(_ item: Item) -> Outcome {
        guard known.insert(item.number, of: item.device) else { return .known }
        if let own = waiting[item.device], own.count >= Self.deviceMax {
            // It takes the place of the device's oldest one, and the others move up.
            _ = remove(firstOf: item.device)
            dropped += 1
            known.remove(own[0].number, of: item.device)
        } else {
            order.append(item.device)
        }
        waiting[item.device, default: []].append(item)
        count += 1
        samples += item.count
        while count > 1, count > uploadsMax || samples > samplesMax {
            guard let old = next() else { break }
            dropped += 1
            known.remove(old.number, of: old.device)
        }
        return .added
    }

    /// Takes out the oldest ones, at least one, and those that are too old.
    mutating func take(uploadsMax: Int, samplesMax: Int, at now: Deadline) -> [Item] {
        var (taken, count): ([Item], Int) = ([], 0)
        while taken.count < uploadsMax, let device = nextDevice, let item = waiting[device]?.first {
            guard now.since(item.receivedAt) <= Self.ageMax else {
                _ = next()
                dropped += 1
                continue
            }
            guard taken.isEmpty || count + item.count <= samplesMax else { break }
            _ = next()
            count += item.count
            taken.append(item)
        }
        return taken
    }

    private var nextDevice: UUID? { first < order.count ? order[first] : nil }

    private mutating func next() -> Item? {
        guard let device = nextDevice else { return nil }
        first += 1
        // Each entry is moved once for each that was taken, at most.
        if first > 64, first > order.count / 2 {
            order.removeFirst(first)
            first = 0
        }
        return remove(firstOf: device)
    }

    private mutating func remove(firstOf device: UUID) -> Item? {
        guard let item = waiting[device]?.removeFirst() else { return nil }
        if waiting[device]?.isEmpty == true { waiting[device] = nil }
        count -= 1
        samples -= item.count
        return item
    }
}

/// The last numbers of devices' uploads; those of devices that have been silent for longest are forgotten.
private struct GenerationNumbers {
    private let generationMax: Int
    private let numbersMax: Int
    private var young: [UUID: [Int64]] = [:]
    private var old: [UUID: [Int64]] = [:]

    init(devicesMax: Int, numbersMax: Int) {
        generationMax = devicesMax / 2
        self.numbersMax = numbersMax
    }

    /// False when it is there already.
    mutating func insert(_ number: Int64, of device: UUID) -> Bool {
        var numbers = young[device] ?? old[device] ?? []
        guard !numbers.contains(number) else { return false }
        numbers.append(number)
        if numbers.count > numbersMax { numbers.removeFirst() }
        if young[device] == nil, young.count >= generationMax { (old, young) = (young, [:]) }
        young[device] = numbers
        return true
    }

    mutating func remove(_ number: Int64, of device: UUID) {
        young[device]?.removeAll { $0 == number }
        old[device]?.removeAll { $0 == number }
    }
}
