/// What is wrong with a text, gathered while decoding goes on with stand-ins for what could not be read.
final class FaultCollection {
    private(set) var faults: [JSONError] = []
    let standIns: StandIns

    static let faultsMax = 32

    init(standIns: StandIns = StandIns()) {
        self.standIns = standIns
    }

    var isFull: Bool { faults.count >= Self.faultsMax }

    func add(_ fault: JSONError) {
        guard !isFull, !faults.contains(where: { $0.path == fault.path }) else { return }
        faults.append(fault)
    }
}

extension Tape {
    /// Reads a value; when faults are collected, goes on with a stand-in after one, if there is one.
    ///
    /// A value's own error is not reported when something inside the value was: it is most likely a consequence.
    @inline(__always)
    func reading<Value>(
        _ read: () throws(JSONError) -> Value, orElse standIn: (StandIns) -> Value?
    ) throws(JSONError) -> Value {
        guard let faults else { return try read() }
        let before = faults.faults.count
        do throws(JSONError) {
            return try read()
        } catch {
            if faults.faults.count == before { faults.add(error) }
            guard !faults.isFull, let standIn = standIn(faults.standIns) else { throw error }
            return standIn
        }
    }
}
