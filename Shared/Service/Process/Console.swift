import Glibc

/// The output of subcommands.
public enum Console {
    /// One line on the standard output.
    public static func say(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nobody reads a closed output.
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
