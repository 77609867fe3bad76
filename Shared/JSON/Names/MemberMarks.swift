/// Which members of a text were asked for while it was decoded. What is left over in an object that was read by the names of
/// a type is a member that the type does not know.
final class MemberMarks {
    private static let asked: UInt8 = 1
    private static let openedByName: UInt8 = 2
    private static let failed: UInt8 = 4

    /// By token.
    private var marks: [UInt8]

    init(_ tape: Tape) {
        marks = [UInt8](repeating: 0, count: tape.tokenCount)
    }

    /// The member whose name is at `index` was looked up.
    @inline(__always) func asked(_ index: Int) { marks[index] |= Self.asked }

    /// The object at `index` is read by a type's names, not as a dictionary.
    func openedByName(_ index: Int) { marks[index] |= Self.openedByName }

    /// Reading the value at `index` was broken off, so what was not asked for says nothing.
    func failed(_ index: Int) { marks[index] |= Self.failed }

    /// In the order of the text.
    func unknownMembers(of tape: Tape) -> [JSONError] {
        var unknown: [JSONError] = []
        for object in marks.indices where marks[object] & (Self.openedByName | Self.failed) == Self.openedByName {
            var name = object + 1
            while name < Int(tape.tokens[object].next), unknown.count < FaultCollection.faultsMax {
                if marks[name] & Self.asked == 0 {
                    unknown.append(
                        JSONError(kind: .unknownKey, path: tape.path(to: name + 1), message: "is not known"))
                }
                name = tape.end(of: name + 1)
            }
        }
        return unknown
    }
}
