/// A text and two ways in which it may arrive: in one piece, and in pieces.
struct Pieces {
    let text: [UInt8]
    /// The ends of the pieces; the last one is the text's.
    let ends: [Int]

    /// The first byte says where the first piece ends, the second how long the others are; the rest is the text.
    init(_ input: [UInt8]) {
        let numbers = input.prefix(2).map { Int($0) }
        text = Array(input.dropFirst(2))
        let first = min(text.count, numbers.first ?? 0)
        let length = 1 + (numbers.last ?? 0)
        ends = Array(stride(from: first, to: text.count, by: length)) + [text.count]
    }

    /// What `read` makes of the pieces must be what it makes of the whole.
    func check<Outcome: Equatable>(_ read: (_ pieces: [ArraySlice<UInt8>]) -> Outcome) {
        var start = 0
        let pieces = ends.map { end in
            defer { start = end }
            return text[start..<end]
        }
        precondition(read(pieces) == read([text[...]]), "what is read depends on how it arrives")
    }
}
