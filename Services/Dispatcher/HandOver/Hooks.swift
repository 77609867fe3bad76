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

    /// Names of those that take synthetic incidents, test receivers first.
    var forExercises: [String] {
        let all = all
        return (all.filter { $0.exercises == .only } + all.filter { $0.exercises == .too }).map(\.name)
    }

    /// Names of the hooks to try for a position, in order: those whose area holds it, and those without an area.
    /// Without a position, or outside of all areas, those without an area, or else all: somebody has to be called.
    func order(for position: Coordinate?) -> [String] {
        let all = all.filter { $0.exercises != .only }
        let responsible = all.filter { hook in
            guard let area = hook.area else { return true }
            return position.map(area.contains) ?? false
        }
        return (responsible.isEmpty ? all : responsible).map(\.name)
    }
}
