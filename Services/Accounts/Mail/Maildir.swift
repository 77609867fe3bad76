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

    private static let suffix = ".trackme"

    let path: String
    /// So many mails stay in `new`, the newest; without it all of them.
    let mailsMax: Int?
    let pool: BlockingPool

    /// Makes missing folders.
    init(_ path: String, mailsMax: Int? = nil, pool: BlockingPool = .shared) throws(Failure) {
        self.path = path
        self.mailsMax = mailsMax
        self.pool = pool
        for folder in [path, "\(path)/tmp", "\(path)/new", "\(path)/cur"] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw Failure(operation: "mkdir \(folder)", errno: errno)
            }
        }
    }

    func deliver(_ message: MailMessage) async throws {
        let name = "\(message.date.microseconds / 1_000_000).\(message.id)\(Self.suffix)"
        let (path, bytes, mailsMax) = (path, message.bytes, mailsMax)
        let failure = try await pool.run { () -> Failure? in
            let failure = Self.write(bytes, from: "\(path)/tmp/\(name)", to: "\(path)/new/\(name)")
            guard failure == nil, let mailsMax else { return failure }
            return Self.removeOldest(in: "\(path)/new", leaving: mailsMax)
        }
        if let failure { throw failure }
    }

    /// Removes the oldest mails, whose names begin with their second; files with other names stay.
    private static func removeOldest(in folder: String, leaving mailsMax: Int) -> Failure? {
        guard let stream = opendir(folder) else { return Failure(operation: "opendir", errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix) { names.append(name) }
        }
        guard names.count > mailsMax else { return nil }
        for name in names.sorted().prefix(names.count - mailsMax) {
            // Another delivery, or a reader, may have taken it away.
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                return Failure(operation: "unlink", errno: errno)
            }
        }
        return nil
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
