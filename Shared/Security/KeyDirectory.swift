import Glibc

/// A directory of key files, one of which is current: `NAME` and an ending for each key, and a file `current` that holds
/// the NAME of the current one. Names are 1 to 32 letters, digits, `-` and `_`. Other files are ignored; none of the files
/// may be accessible to everybody.
enum KeyDirectory {
    static let keysMax = 64
    static let nameBytesMax = 32
    private static let filesMax = 1024

    /// The names of the keys with that ending, and the current one, which is among them.
    static func read(_ directory: String, ending: String) throws(SecurityError) -> (names: [String], current: String) {
        var names: [String] = []
        for file in try files(in: directory) where file.hasSuffix(ending) {
            let name = String(file.dropLast(ending.count))
            guard isName(name) else {
                throw .keyFile(path: "\(directory)/\(file)", reason: "its name is not 1 to 32 letters, digits, - or _")
            }
            guard names.count < keysMax else { throw .keyFile(path: directory, reason: "more than \(keysMax) keys") }
            names.append(name)
        }
        let current = try SecretFile.text("\(directory)/current")
        guard names.contains(current) else {
            throw .keyFile(path: "\(directory)/current", reason: "names no key of this directory")
        }
        return (names.sorted(), current)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isName(_ text: String) -> Bool {
        (1...nameBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func files(in directory: String) throws(SecurityError) -> [String] {
        guard let stream = opendir(directory) else { throw SecretFile.systemError(directory) }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                })
            guard names.count <= filesMax else {
                throw .keyFile(path: directory, reason: "more than \(filesMax) files")
            }
            errno = 0
        }
        guard errno == 0 else { throw SecretFile.systemError(directory) }
        return names
    }
}
