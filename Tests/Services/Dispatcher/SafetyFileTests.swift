import Primitives
import Testing

@testable import Dispatcher

/// The safety file names tests by their titles: each is there (`Services/Dispatcher/SAFETY.md`).
@Suite struct SafetyFileTests {
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    private struct Proof: Hashable {
        let file: String
        let title: String
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try SmallFile.read("\(root)/\(path)", bytesMax: 1 << 20), as: UTF8.self)
    }

    /// Links to files of tests, each with the titles in quotation marks that follow it in its line.
    private static func proofs(in text: String) -> [Proof] {
        text.split(separator: "\n").flatMap { line in
            line.split(separator: "](../../").dropFirst().flatMap { part -> [Proof] in
                let pieces = part.split(separator: ")", maxSplits: 1)
                guard pieces.count == 2 else { return [] }
                return pieces[1].split(separator: "“").dropFirst().map { quoted in
                    Proof(file: String(pieces[0]), title: String(quoted.prefix { $0 != "”" }))
                }
            }
        }
    }

    @Test("NFR-07: each test that the safety file names is there, by its title")
    func titles() throws {
        let proofs = Set(Self.proofs(in: try Self.text("Services/Dispatcher/SAFETY.md")))
        #expect(proofs.count > 80)
        var files: [String: String] = [:]
        for proof in proofs {
            let text = try files[proof.file] ?? Self.text(proof.file)
            files[proof.file] = text
            let line = text.split(separator: "\n").first { $0.contains(": \(proof.title)\"") }
            #expect(line != nil, "\(proof.file) has no test “\(proof.title)”")
        }
    }

    @Test(
        "NFR-07: every hazard of the safety file has an id of its own, something that meets it, and what remains"
    )
    func rows() throws {
        let text = try Self.text("Services/Dispatcher/SAFETY.md")
        let rows = text.split(separator: "\n").map { $0.split(separator: " | ", omittingEmptySubsequences: false) }
        let hazards = rows.filter { row in
            guard let id = row.first, row.count == 6 else { return false }
            return id.hasPrefix("| ") && id.dropFirst(2).first?.isUppercase == true && id.last?.isNumber == true
        }
        #expect(hazards.count > 30)
        #expect(Set(hazards.map { $0[0] }).count == hazards.count)
        for row in hazards { #expect(row.allSatisfy { !$0.isEmpty }, "\(row[0])") }
    }
}
