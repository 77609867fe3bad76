import Glibc

/// What `deploy/test` says about the machine.
public enum TestEnvironment {
    static func value(_ name: String) throws(ProcessFailure) -> String {
        guard let value = getenv(name) else {
            throw ProcessFailure("\(name) is not set: run deploy/test, which sets it")
        }
        return String(cString: value)
    }

    /// The directory of the programs that were built together with this one.
    public static func programs() throws(ProcessFailure) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw ProcessFailure("/proc/self/exe cannot be read: \(errno)") }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }
}
