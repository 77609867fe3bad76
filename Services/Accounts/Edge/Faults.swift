/// All that is wrong with a body, gathered so that it is told at once.
struct Faults {
    private(set) var refusals: [Refusal] = []

    mutating func add(_ refusal: Refusal) { refusals.append(refusal) }

    /// Adds what the check refuses, if it does.
    mutating func gather(_ check: () throws(Refusal) -> Void) {
        do throws(Refusal) { try check() } catch { add(error) }
    }

    /// Throws one refusal for all that was gathered.
    func check() throws(Refusal) {
        if let refusal = Refusal(refusals) { throw refusal }
    }
}
