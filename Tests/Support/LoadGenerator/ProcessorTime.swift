import CLinux
import Glibc

/// The processor time that processes have used, with their children's: PostgreSQL has one for each connection.
public struct ProcessorTime: Sendable {
    /// In seconds.
    public let seconds: Double

    public static func - (left: ProcessorTime, right: ProcessorTime) -> Double { left.seconds - right.seconds }

    /// Of a process, those that it has started, and those that have ended and were waited for. Errors: `missing` when there
    /// is no such process.
    public init(of process: Int32) throws(LoadError) {
        let all = Self.table()
        guard let root = all[process] else { throw .missing(process: process) }
        var sum = root.ticks
        var parents: Set<Int32> = [process]
        // Children have no lower depth than their parents; three levels are more than there are.
        for _ in 0..<3 {
            for (id, entry) in all where parents.contains(entry.parent) && !parents.contains(id) {
                parents.insert(id)
                sum += entry.ticks
            }
        }
        seconds = Double(sum) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Of this process alone.
    public static func own() -> ProcessorTime {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return ProcessorTime(seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    private init(seconds: Double) {
        self.seconds = seconds
    }

    /// The process that started another.
    public static func parent(of process: Int32) throws(LoadError) -> Int32 {
        guard let entry = table()[process] else { throw .missing(process: process) }
        return entry.parent
    }

    /// Of the machine, idle: of all cores together, waiting for disks included.
    public static func idleSeconds() -> Double { machineSeconds(3...4) }

    /// Of the machine, what a host gave to others while there was work: of all cores together.
    public static func stolenSeconds() -> Double { machineSeconds(7...7) }

    /// The sum of some columns of the first line of /proc/stat, see proc(5).
    private static func machineSeconds(_ columns: ClosedRange<Int>) -> Double {
        guard let line = read("/proc/stat")?.split(separator: "\n").first else { return 0 }
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count > columns.upperBound else { return 0 }
        return numbers[columns].reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private struct Entry {
        var parent: Int32
        var ticks: Int
    }

    private static func table() -> [Int32: Entry] {
        var table: [Int32: Entry] = [:]
        guard let directory = opendir("/proc") else { return table }
        defer { closedir(directory) }
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            // A process that ends meanwhile has no file any more.
            guard let id = Int32(name), let text = read("/proc/\(name)/stat"),
                let end = text.lastIndex(of: ")")
            else { continue }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 14, let parent = Int32(fields[1]) else { continue }
            // utime, stime, cutime and cstime of proc(5).
            table[id] = Entry(parent: parent, ticks: fields[11...14].compactMap { Int($0) }.reduce(0, +))
        }
        return table
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}

public enum LoadError: Error, CustomStringConvertible {
    case missing(process: Int32)
    case address(String)
    case system(String, Int32)

    public var description: String {
        switch self {
        case .missing(let process): "there is no process \(process)"
        case .address(let text): "\(text) is no IPv4 address with a port"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}
