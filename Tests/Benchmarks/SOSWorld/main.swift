import Glibc
import Primitives
import Reactor
import Synchronization

@testable import SimulatedSOS

// `trackme-sos-world [SECONDS [FIRST-SEED]]` lives worlds on two threads and prints how much they judge; exit status 1 when that is
// less than the bars, or when something was wrong in one of them, whose story is printed. Standard error tells of each as it is found.
// `trackme-sos-world seed SEED [MUTANT]` tells the story of one; `trackme-sos-world detection …` see `Detection`.

/// Per minute: samples that are judged, and emergencies with a fault.
let (samplesMin, emergenciesMin) = (5_000_000.0, 1_000.0)
let threads = 2

struct Lived: Sendable {
    var worlds = 0
    var samples = 0
    var emergencies = 0
    var failed: [UInt64] = []
}

func tell(_ seed: UInt64, _ mutant: WorldMutant?) throws -> Bool {
    let world = try World(seed: seed, mutant: mutant, isTelling: true)
    let wrongs = world.live()
    for line in world.story { print(line) }
    print(wrongs.isEmpty ? "seed \(seed): nothing was wrong" : "seed \(seed): \(wrongs.joined(separator: "; "))")
    return wrongs.isEmpty
}

/// Lives every `threads`th world from `seed` on, until `end`.
func live(from seed: UInt64, until end: Deadline) throws -> Lived {
    var (lived, seed) = (Lived(), seed)
    while !end.hasPassed {
        let world = try World(seed: seed)
        let wrongs = world.live()
        if let wrong = wrongs.first {
            lived.failed.append(seed)
            let line = Array("      seed \(seed): \(wrong)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
        }
        lived.worlds += 1
        lived.samples += world.watch.judgedCount
        lived.emergencies += world.watch.emergencies.count
        seed += UInt64(threads)
    }
    return lived
}

func rounded(_ value: Double) -> String { String(Int(value)) }

func report(_ what: String, _ figure: Double, atLeast bar: Double) -> Bool {
    print(
        "\(figure >= bar ? "ok  " : "FAIL")  \(what): \(rounded(figure)) per minute; bar ≥ \(rounded(bar)) per minute")
    return figure >= bar
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "seed", arguments.count >= 2, let seed = UInt64(arguments[1]) {
    exit(try tell(seed, arguments.dropFirst(2).first.flatMap(WorldMutant.init(rawValue:))) ? 0 : 1)
}
if arguments.first == "detection" { exit(try await Detection.run(arguments.dropFirst()) ? 0 : 1) }
let seconds = Int64(arguments.first ?? "20") ?? 20
let first = UInt64(arguments.dropFirst().first ?? "1") ?? 1
_ = WorldTemplate.shared
let begun = Deadline.now()
let end = begun.advanced(by: .seconds(seconds))
let pool = try BlockingPool(threads: threads, queueMax: threads)
let lived = try await withThrowingTaskGroup(of: Lived.self) { group in
    for thread in 0..<threads {
        group.addTask { try await pool.run { Result { try live(from: first + UInt64(thread), until: end) } }.get() }
    }
    var all = Lived()
    for try await one in group {
        all.worlds += one.worlds
        all.samples += one.samples
        all.emergencies += one.emergencies
        all.failed += one.failed
    }
    return all
}
let minutes = Double(Deadline.now().since(begun).components.seconds) / 60
print("sos-world")
print("      \(lived.worlds) worlds from seed \(first) on, on \(threads) threads")
var isGood = report("simulated world, samples judged", Double(lived.samples) / minutes, atLeast: samplesMin)
isGood =
    report("simulated world, emergencies with a fault", Double(lived.emergencies) / minutes, atLeast: emergenciesMin)
    && isGood
if let seed = lived.failed.min() {
    print(
        "FAIL  something was wrong with seeds \(lived.failed.sorted().prefix(20).map(String.init).joined(separator: " ")); the first:"
    )
    _ = try tell(seed, nil)
}
exit(isGood && lived.failed.isEmpty ? 0 : 1)
