/// The short public identifier of a run (RUN-02): six letters that cannot be mistaken for each other or for digits.
enum RunCode {
    static let length = 6
    /// Without I, L, O and U: 22 letters, 113 million codes.
    private static let letters = Array("ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A new code; the database checks whether it is taken.
    static func random() -> String {
        String(decoding: (0..<length).map { _ in letters[Int.random(in: 0..<letters.count)] }, as: UTF8.self)
    }

    /// The code that somebody typed; `nil` when it cannot be one.
    static func parse(_ text: String) -> String? {
        let code = text.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }
        return code.count == length && code.allSatisfy(letters.contains) ? String(decoding: code, as: UTF8.self) : nil
    }
}
