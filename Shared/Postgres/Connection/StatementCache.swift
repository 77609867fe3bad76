/// The prepared statements of one connection, by text and parameter types; the one unused for longest makes room.
/// Pure bookkeeping: preparing and deallocating is up to the connection.
struct StatementCache {
    final class Statement {
        /// Its name on the server.
        let name: String
        let text: String
        let types: [UInt32]
        /// Whether it begins as one that changes nothing; then losing it while it runs leaves no doubt.
        let isRead: Bool
        fileprivate(set) var lastUse: UInt64 = 0
        /// The same text with other parameter types.
        fileprivate var sibling: Statement?

        init(name: String, text: String, types: [UInt32]) {
            self.name = name
            self.text = text
            self.types = types
            let word = text.drop(while: \.isWhitespace).prefix { $0.isLetter }.lowercased()
            isRead = ["select", "show", "values", "table", "explain"].contains(word)
        }
    }

    private let statementsMax: Int
    private var statements: [Key: Statement] = [:]
    private(set) var count = 0
    private var clock: UInt64 = 0
    private var lastName = 0

    init(statementsMax: Int) {
        self.statementsMax = max(1, statementsMax)
    }

    /// A text that is hashed by a few of its bytes: what programs send is not chosen to collide, and hashing long texts whole
    /// would cost more than all else here.
    private struct Key: Hashable {
        let text: String

        func hash(into hasher: inout Hasher) {
            var text = text
            let sample = text.withUTF8 { bytes in
                var sample = UInt64(bytes.count)
                for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
                    sample = (sample ^ UInt64(bytes[index])) &* 0x100_0000_01b3  // as in the FNV-1a hash
                }
                return sample
            }
            hasher.combine(sample)
        }
    }

    /// The statement as it was prepared; it counts as used now.
    mutating func find(_ sql: SQL) -> Statement? {
        var candidate = statements[Key(text: sql.text)]
        while let statement = candidate {
            if sql.binds.hasTypes(statement.types) {
                clock += 1
                statement.lastUse = clock
                return statement
            }
            candidate = statement.sibling
        }
        return nil
    }

    /// Adds a statement under a new name, and takes out the one that makes room for it.
    mutating func insert(_ sql: SQL) -> (added: Statement, evicted: Statement?) {
        let evicted = count >= statementsMax ? oldest : nil
        if let evicted { remove(evicted) }
        lastName += 1
        clock += 1
        let statement = Statement(name: "s\(lastName)", text: sql.text, types: sql.binds.types)
        statement.lastUse = clock
        statement.sibling = statements.updateValue(statement, forKey: Key(text: sql.text))
        count += 1
        return (statement, evicted)
    }

    mutating func remove(_ statement: Statement) {
        let key = Key(text: statement.text)
        guard let first = statements[key] else { return }
        if first === statement {
            statements[key] = statement.sibling
        } else {
            var before = first
            while let next = before.sibling, next !== statement { before = next }
            guard before.sibling === statement else { return }
            before.sibling = statement.sibling
        }
        statement.sibling = nil
        count -= 1
    }

    mutating func removeAll() {
        statements = [:]
        count = 0
    }

    private var oldest: Statement? {
        var oldest: Statement?
        for first in statements.values {
            var candidate: Statement? = first
            while let statement = candidate {
                if statement.lastUse < oldest?.lastUse ?? .max { oldest = statement }
                candidate = statement.sibling
            }
        }
        return oldest
    }
}
