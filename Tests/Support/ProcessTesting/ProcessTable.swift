import Glibc

/// What `/proc` knows.
enum ProcessTable {
    /// Processes that `parent` has started and that still run.
    static func children(of parent: pid_t) -> [pid_t] {
        guard let stream = opendir("/proc") else { return [] }
        defer { closedir(stream) }
        var children: [pid_t] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            guard let id = pid_t(name), let (state, itsParent) = status(of: id) else { continue }
            if itsParent == parent, state != "Z" { children.append(id) }
        }
        return children
    }

    /// State and parent, which stand behind the name in brackets.
    private static func status(of id: pid_t) -> (Substring, pid_t)? {
        guard let text = try? TextFile.read("/proc/\(id)/stat"), let bracket = text.lastIndex(of: ")") else {
            return nil
        }
        let words = text[text.index(after: bracket)...].split(separator: " ")
        guard words.count > 1, let parent = pid_t(words[1]) else { return nil }
        return (words[0], parent)
    }
}
