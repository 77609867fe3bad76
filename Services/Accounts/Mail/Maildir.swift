import Glibc
import Primitives
import Reactor

/// A folder that mail is delivered into, one file per mail, as in Maildir: written below `tmp`, then moved to `new`,
/// so that a reader never sees half a mail. For development. A mail that is delivered again replaces its own file.
struct Maildir: MailCarrier {
    /// A file could not be written.
    struct Failure: Error {
        let operation: String
        let errno: Int32
    }

    let path: String
    let pool: BlockingPool

    /// Makes missing folders.
    init(_ path: String, pool: BlockingPool = .shared) throws(Failure) {
        self.path = path
        self.pool = pool
        for folder in [path, "\(path)/tmp", "\(path)/new", "\(path)/cur"] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw Failure(operation: "mkdir \(folder)", errno: errno)
            }
        }
    }

    func deliver(_ message: MailMessage) async throws {
        let name = "\(message.date.microseconds / 1_000_000).\(message.id).trackme"
        let (path, bytes) = (path, message.bytes)
        let failure = try await pool.run { Self.write(bytes, from: "\(path)/tmp/\(name)", to: "\(path)/new/\(name)") }
        if let failure { throw failure }
    }

    private static func write(_ bytes: [UInt8], from draft: String, to final: String) -> Failure? {
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return Failure(operation: "open", errno: errno) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let start = written
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start)
            }
            guard count >= 0 || errno == EINTR else { return Failure(operation: "write", errno: errno) }
            written += max(0, count)
        }
        guard fsync(descriptor) == 0 else { return Failure(operation: "fsync", errno: errno) }
        guard rename(draft, final) == 0 else { return Failure(operation: "rename", errno: errno) }
        return nil
    }
}
