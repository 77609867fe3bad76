import CLinux
import Glibc

/// How programs end that run until they are stopped, or their parent ends.
enum Ending {
    /// At once, and well: nothing has to be put in order. A script that starts a program in the background lets it ignore
    /// Ctrl-C, unless the program says otherwise.
    static func whenTold() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
        _ = tm_end_with_parent()
    }
}
