import Edge
import Glibc
import HTTP
import Primitives
import Reactor
import Synchronization

/// The directory that a journal is in. Tests have others.
protocol JournalDisk: Sendable {
    /// Makes the directory if it is missing, and takes it for this process alone.
    func open() throws(JournalFault)
    /// The names of the files.
    func files() throws(JournalFault) -> [String]
    func read(_ name: String) throws(JournalFault) -> [UInt8]
    /// Adds to the end of a file, which is made when it is missing; it is on disk when this returns. After a failure some of it
    /// may be there.
    func append(_ bytes: [UInt8], to name: String) throws(JournalFault)
    func remove(_ name: String) throws(JournalFault)
    func close()
}

/// What does a journal's work that blocks: a thread of its own. Tests have others.
protocol JournalThread: Sendable {
    func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async throws(IOError) -> T
    func shutdown()
}

extension BlockingPool: JournalThread {}

/// Why a journal could not be written or read.
enum JournalFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// What the system says.
    case disk(String)
    /// Another process has the directory.
    case taken
    /// As large as it may become.
    case full
    /// The disk has not written it in time; it may be there all the same.
    case timedOut
    /// Something that cannot be sealed or is too large.
    case entry(String)
    /// Only the database knows what is asked of the incident. What was decided is on disk, where it counts with what came before it.
    case unknownIncident
    case closed

    var description: String {
        switch self {
        case .disk(let reason): reason
        case .taken: "another process has the directory"
        case .full: "the journal is as large as it may become"
        case .timedOut: "the disk does not write in time"
        case .entry(let reason): reason
        case .unknownIncident: "only the database knows the incident"
        case .closed: "the journal is closed"
        }
    }
}

extension JournalFault: ProblemConvertible {
    var problem: Problem {
        Problem(
            .serviceUnavailable, code: "database-unavailable",
            detail: "this could not be written or answered just now; send it again",
            retryAfter: .seconds(1))
    }
}

/// A directory of this machine's, for its owner alone. Every call blocks.
final class JournalDirectory: JournalDisk {
    /// No file of a journal is larger.
    private static let fileBytesMax = 64 << 20

    private let path: String
    private let lock = DescriptorBox()

    init(_ path: String) {
        self.path = path
    }

    /// Makes the directory if it is missing, and sees that it can be used.
    static func check(_ path: String) throws(JournalFault) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw fault(path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw fault(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .disk("\(path) is no directory") }
        guard status.st_mode & 0o077 == 0 else { throw .disk("\(path) is open to others; its mode should be 0700") }
        guard access(path, W_OK | X_OK) == 0 else { throw fault(path) }
    }

    func open() throws(JournalFault) {
        guard lock.value < 0 else { return }
        try Self.check(path)
        let descriptor = Glibc.open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.fault("\(path)/lock") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let fault = Self.fault("\(path)/lock")
            _ = Glibc.close(descriptor)
            throw isTaken ? .taken : fault
        }
        lock.value = descriptor
    }

    func files() throws(JournalFault) -> [String] {
        guard let directory = opendir(path) else { throw Self.fault(path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    func read(_ name: String) throws(JournalFault) -> [UInt8] {
        do throws(SmallFile.Failure) {
            return try SmallFile.read("\(path)/\(name)", bytesMax: Self.fileBytesMax, isSecret: true)
        } catch { throw .disk(error.description) }
    }

    func append(_ bytes: [UInt8], to name: String) throws(JournalFault) {
        let file = "\(path)/\(name)"
        var isNew = false
        var descriptor = Glibc.open(file, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT {
            isNew = true
            descriptor = Glibc.open(file, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else { throw Self.fault(file) }
        defer { _ = Glibc.close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.fault(file) }
            rest = rest.dropFirst(count)
        }
        guard fdatasync(descriptor) == 0 else { throw Self.fault(file) }
        if isNew { try syncDirectory() }
    }

    func remove(_ name: String) throws(JournalFault) {
        guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else { throw Self.fault("\(path)/\(name)") }
        try syncDirectory()
    }

    func close() {
        guard lock.value >= 0 else { return }
        _ = Glibc.close(lock.value)
        lock.value = -1
    }

    private func syncDirectory() throws(JournalFault) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.fault(path) }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.fault(path) }
    }

    private static func fault(_ path: String) -> JournalFault {
        .disk("\(path): \(String(cString: strerror(errno)))")
    }
}

/// A descriptor, −1 without one.
private final class DescriptorBox: Sendable {
    private let descriptor = Atomic<Int32>(-1)

    var value: Int32 {
        get { descriptor.load(ordering: .acquiring) }
        set { descriptor.store(newValue, ordering: .releasing) }
    }
}
