import Glibc
import Primitives

/// Lines for people.
enum Output {
    static let isTerminal = isatty(STDERR_FILENO) == 1

    /// To standard output. It appears at once, also when a program reads it.
    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// To standard output, with the time: of a program that runs for long.
    static func event(_ text: String) { line("\(Timestamp.now().floored(to: .seconds(1))) \(text)") }

    static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// To standard error, as it is.
    static func draw(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // Nobody reads it any more: there is nobody left to tell.
            guard count > 0 || errno == EINTR else { return }
            left = left.dropFirst(max(0, count))
        }
    }
}
