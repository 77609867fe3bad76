import Primitives
import Testing

@testable import Security

@Suite struct AuditChainTests {
    private func trail(_ count: Int) -> (entries: [AuditEntry], head: AuditChain) {
        var chain = AuditChain()
        let entries = (1...count).map { number in
            chain.append([.init("who", "reader-\(number)"), .init("what", "profile"), .init("why", nil as String?)])
        }
        return (entries, chain)
    }

    @Test("NFR-06b: an untouched trail verifies, whole and from any kept head")
    func whole() throws {
        let (entries, head) = trail(20)
        try AuditChain.verify(entries, to: head)
        for split in 0...20 {
            var chain = AuditChain()
            for entry in entries.prefix(split) { try chain.check(entry) }
            try AuditChain.verify(entries.dropFirst(split), from: chain, to: head)
        }
    }

    @Test("NFR-06b: a removed entry is noticed, wherever it was", arguments: 0..<6)
    func removal(index: Int) {
        var (entries, head) = trail(6)
        entries.remove(at: index)
        #expect(throws: SecurityError.self) { try AuditChain.verify(entries, to: head) }
    }

    @Test("NFR-06b: a changed, added or moved entry is noticed")
    func changes() {
        let (entries, head) = trail(4)
        var moved = entries
        moved.swapAt(1, 2)
        #expect(throws: SecurityError.auditBroken(sequence: 3, .sequence(expected: 2))) {
            try AuditChain.verify(moved, to: head)
        }
        var renumbered = entries
        renumbered[1] = AuditEntry(sequence: 2, fields: entries[2].fields, hash: entries[2].hash)
        #expect(throws: SecurityError.auditBroken(sequence: 2, .hash)) { try AuditChain.verify(renumbered, to: head) }
        #expect(throws: SecurityError.auditBroken(sequence: 4, .sequence(expected: 5))) {
            try AuditChain.verify(entries + [entries[3]], to: head)
        }
        for fields: [AuditEntry.Field] in [
            [.init("who", "reader-2"), .init("what", "profile"), .init("why", "")],
            [.init("who", "reader-2"), .init("what", "profile")],
            [.init("what", "profile"), .init("who", "reader-2"), .init("why", nil as String?)],
            [.init("who", "reader-2p"), .init("what", "rofile"), .init("why", nil as String?)],
            [.init("whor", "eader-2"), .init("what", "profile"), .init("why", nil as String?)],
        ] {
            var changed = entries
            changed[1] = AuditEntry(sequence: 2, fields: fields, hash: entries[1].hash)
            #expect(throws: SecurityError.auditBroken(sequence: 2, .hash)) { try AuditChain.verify(changed, to: head) }
        }
    }

    @Test("NFR-06b: a trail made anew after a change does not reach the published head")
    func rewritten() {
        let (_, head) = trail(3)
        var chain = AuditChain()
        let forged = ["x", "y", "z"].map { chain.append([.init("who", $0)]) }
        #expect(throws: SecurityError.auditBroken(sequence: 3, .head)) { try AuditChain.verify(forged, to: head) }
    }

    @Test("The hash of an entry is the documented one")
    func definition() {
        var chain = AuditChain()
        let entry = chain.append([.init("a", "bc"), .init("d", nil as String?)])
        let canonical =
            String(repeating: "00", count: 32) + "0000000000000001" + "0000000000000002"
            + "000000000000000161" + "01" + "00000000000000026263" + "000000000000000164" + "00"
        #expect(entry.hash == Digest.sha256(octets(canonical)))
    }
}

extension AuditChain {
    /// Makes the next entry, and moves on to it.
    fileprivate mutating func append(_ fields: [AuditEntry.Field]) -> AuditEntry {
        let hash = Self.hash(after: hash, sequence: sequence + 1, fields)
        self = AuditChain(sequence: sequence + 1, hash: hash)
        return AuditEntry(sequence: sequence, fields: fields, hash: hash)
    }
}
