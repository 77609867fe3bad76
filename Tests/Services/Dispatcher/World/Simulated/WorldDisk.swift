import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// A machine's disk: it outlives the processes.
final class WorldDisk: JournalDisk, @unchecked Sendable {
    enum Condition: Sendable { case well, hangs, isFull }

    var condition = Condition.well
    private var contents: [String: [UInt8]] = [:]

    func open() throws(JournalFault) {}
    func files() throws(JournalFault) -> [String] { contents.keys.sorted() }
    func read(_ name: String) throws(JournalFault) -> [UInt8] { contents[name] ?? [] }

    func append(_ bytes: [UInt8], to name: String) throws(JournalFault) {
        guard condition != .isFull else { throw .disk("no space left on device") }
        contents[name, default: []] += bytes
    }

    func remove(_ name: String) throws(JournalFault) { contents[name] = nil }
    func close() {}
}

/// The same for one process: what it writes as it dies is torn, and after that nothing gets there.
struct WorldDiskOfProcess: JournalDisk {
    private let disk: WorldDisk
    private unowned let process: WorldProcess

    init(_ disk: WorldDisk, _ process: WorldProcess) { (self.disk, self.process) = (disk, process) }

    func open() throws(JournalFault) {
        guard !process.isDead else { throw .closed }
        try disk.open()
    }

    func files() throws(JournalFault) -> [String] { try disk.files() }
    func read(_ name: String) throws(JournalFault) -> [UInt8] { try disk.read(name) }

    func append(_ bytes: [UInt8], to name: String) throws(JournalFault) {
        guard !process.isDead else { throw .closed }
        process.world.step(process)
        guard !process.isDead else {
            let torn = process.world.random.index(below: bytes.count + 1)
            try disk.append(Array(bytes.prefix(torn)), to: name)
            throw .closed
        }
        try disk.append(bytes, to: name)
        process.world.step(process)
    }

    func remove(_ name: String) throws(JournalFault) {
        guard !process.isDead else { throw .closed }
        try disk.remove(name)
    }

    func close() {}
}

/// What the disk takes, as time of the world.
struct WorldDiskThread: JournalThread {
    private let disk: WorldDisk
    private unowned let process: WorldProcess

    init(_ disk: WorldDisk, _ process: WorldProcess) { (self.disk, self.process) = (disk, process) }

    func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async throws(IOError) -> T {
        let world = process.world
        _ = await world.sleep(world.random.value(in: 0.0005...0.02))
        while disk.condition == .hangs, !process.isDead { guard await world.sleep(0.05) else { break } }
        return work()
    }

    func shutdown() {}
}
