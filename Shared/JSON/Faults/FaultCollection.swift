/// What is wrong with a text, gathered while decoding goes on with stand-ins for what could not be read.
final class FaultCollection {
    private(set) var faults: [JSONError] = []
    /// How many stand-ins the text is within: 0 for a client's text.
    let standInDepth: Int

    static let faultsMax = 32

    init(standInDepth: Int = 0) {
        self.standInDepth = standInDepth
    }

    var isFull: Bool { faults.count >= Self.faultsMax }

    func add(_ fault: JSONError) {
        guard !isFull, !faults.contains(where: { $0.path == fault.path }) else { return }
        faults.append(fault)
    }
}

extension Tape {
    /// Reads a plain value; when faults are collected, goes on with `standIn` after one.
    @inline(__always)
    func reading<Value>(
        or standIn: @autoclosure () -> Value, _ read: () throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        do throws(JSONError) {
            return try read()
        } catch {
            guard let faults, !faults.isFull else { throw error }
            faults.add(error)
            return standIn()
        }
    }

    /// Reads any value; when faults are collected, goes on with a stand-in after one if there is one for the type.
    ///
    /// A value's own error is not reported when something inside the value was: it is most likely a consequence.
    @inline(__always)
    func reading<Value: Decodable>(
        _ type: Value.Type, _ read: () throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        guard let faults else { return try read() }
        let before = faults.faults.count
        do throws(JSONError) {
            return try read()
        } catch {
            if faults.faults.count == before { faults.add(error) }
            guard !faults.isFull, let standIn = StandIn.value(of: type, depth: faults.standInDepth) else { throw error }
            return standIn
        }
    }
}
