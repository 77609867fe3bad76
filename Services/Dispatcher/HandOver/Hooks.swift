import Domain
import Synchronization

/// The hooks in force; replaced as a whole when their file is read again.
final class Hooks: Sendable {
    private let list: Mutex<[Hook]>

    init(_ hooks: [Hook]) {
        list = Mutex(hooks)
    }

    var all: [Hook] { list.withLock { $0 } }

    func replace(_ hooks: [Hook]) { list.withLock { $0 = hooks } }

    subscript(name: String) -> Hook? { all.first { $0.name == name } }

    /// Those to be tried for a position, in order: whose area it is in, or who go everywhere. Without a position, or outside
    /// of all areas, somebody has to be called all the same: those who go everywhere, or else everybody.
    func order(for position: Coordinate?) -> [String] {
        let all = all
        let responsible = all.filter { hook in
            guard let area = hook.area else { return true }
            return position.map(area.contains) ?? false
        }
        return (responsible.isEmpty ? all : responsible).map(\.name)
    }
}
