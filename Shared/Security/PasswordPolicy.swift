/// Which passwords are accepted (ACC-02), after NIST SP 800-63B: length and what attackers try first count, not the
/// mixture of character classes.
public enum PasswordPolicy {
    public static let charactersMin = 10
    public static let bytesMax = 256
    /// As typed: one form of a text can be several times as long as another.
    public static let typedBytesMax = 4 * bytesMax

    /// What is known of the person and does not belong in a password. Absent parts are empty.
    public struct Person: Sendable {
        let terms: [String]

        public init(email: String = "", names: [String] = [], fiscalCode: String = "") {
            let local = email.prefix { $0 != "@" }.lowercased()
            let parts = [local] + local.split { !$0.isLetter }.map(String.init)
            let words = names.flatMap { [$0] + $0.split { !$0.isLetter }.map(String.init) }.map { $0.lowercased() }
            let code = fiscalCode.lowercased()
            // The first six letters of a fiscal code stand for surname and name.
            terms = (parts + words + [code, String(code.prefix(6))]).filter { !$0.isEmpty }
        }
    }

    /// Throws the first reason against the password.
    public static func check(_ password: String, of person: Person = Person()) throws(PasswordRefusal) {
        guard password.utf8.count <= typedBytesMax else { throw PasswordRefusal(reason: .tooLong) }
        guard OpaqueString.isAllowed(password) else { throw PasswordRefusal(reason: .characters) }
        let password = OpaqueString.prepared(password)
        guard password.utf8.count <= bytesMax else { throw PasswordRefusal(reason: .tooLong) }
        guard password.count >= charactersMin else { throw PasswordRefusal(reason: .tooShort) }
        let folded = password.lowercased()
        let characters = Array(folded)
        let stem = String(folded.reversed().drop { !$0.isLetter }.reversed())
        guard !CommonPasswords.all.contains(folded), !CommonPasswords.all.contains(stem) else {
            throw PasswordRefusal(reason: .tooCommon)
        }
        guard !person.terms.contains(where: { isPersonal(folded, stem: stem, term: $0) }) else {
            throw PasswordRefusal(reason: .personal)
        }
        guard Set(characters).count >= 5, !isPeriodic(characters) else { throw PasswordRefusal(reason: .repetitive) }
        guard longestRow(characters) * 2 <= characters.count else { throw PasswordRefusal(reason: .sequential) }
    }

    /// Terms of one to three letters are in many innocent words, so they count only when nothing else is there.
    private static func isPersonal(_ password: String, stem: String, term: String) -> Bool {
        term.count >= 4 ? password.contains(term) : stem == term
    }

    /// One piece written again and again.
    private static func isPeriodic(_ characters: [Character]) -> Bool {
        (1...max(1, characters.count / 2)).contains { period in
            characters.count % period == 0
                && (period..<characters.count).allSatisfy { characters[$0] == characters[$0 - period] }
        }
    }

    private static let rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "qwertzuiop", "azertyuiop"].map(
        Array.init)

    /// Characters in the longest stretch of equal or neighbouring ones: in the alphabet, among the digits, on the
    /// keyboard.
    private static func longestRow(_ characters: [Character]) -> Int {
        var longest = 1
        var current = 1
        for (left, right) in zip(characters, characters.dropFirst()) {
            current = areNeighbours(left, right) ? current + 1 : 1
            longest = max(longest, current)
        }
        return longest
    }

    private static func areNeighbours(_ left: Character, _ right: Character) -> Bool {
        if left == right { return true }
        if let left = left.asciiValue, let right = right.asciiValue, abs(Int(left) - Int(right)) == 1 { return true }
        return rows.contains { row in
            guard let left = row.firstIndex(of: left), let right = row.firstIndex(of: right) else { return false }
            return abs(left - right) == 1
        }
    }
}
