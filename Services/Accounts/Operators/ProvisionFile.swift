import Contracts
import Domain
import HTTP
import JSON
import Primitives
import Security
import Service

/// `trackme-accounts operator provision NAME FILE`: people of a file of JSON Lines, each as `accounts.provision` takes it (ACC-05). Each
/// gets a mail with a link for accepting the terms and choosing a password.
///
/// All lines are checked before anybody is made. The same people again under the same name are made once: so a file that was broken
/// off, or mended, is given again.
struct ProvisionFile: Sendable {
    static let bytesMax = 64 << 20
    /// What the operators' page sends it as.
    static let mediaType = MediaType("application/jsonl")
    /// Of the name that a file is sent under.
    static let nameCharactersMax = 100
    private static let lineBytesMax = 16 << 10
    /// Faults that are told at once.
    private static let faultsMax = 20

    let provisioning: Provisioning

    private struct Line: Sendable {
        let number: Int
        let person: Accounts.Provision.Person
    }

    /// What was done. Throws `CommandMistake`.
    func run(_ name: String, _ path: String, by actor: String) async throws -> String {
        let file: [UInt8]
        do throws(SmallFile.Failure) { file = try SmallFile.read(path, bytesMax: Self.bytesMax) } catch {
            throw CommandMistake(description: "\(error).")
        }
        let made = try await provision(file, name: name, by: actor)
        return "People provisioned: \(made). Each gets a mail with a link, or has got it."
    }

    /// How many people the file has. Throws `CommandMistake`.
    func provision(_ file: [UInt8], name: String, by actor: String) async throws -> Int {
        let lines = try read(file)
        let population = Base64.url.encode(provisioning.store.columns.index(populationName: name))
        var made = 0
        while made < lines.count {
            let some = Array(lines[made..<min(made + Accounts.Provision.peopleMax, lines.count)])
            do {
                _ = try await provisioning.provision(
                    .init(population: population, people: some.map(\.person), invite: true, tokens: false),
                    caller: actor)
            } catch let refusal as Refusal {
                throw Self.mistake(refusal, in: some, after: made)
            }
            made += some.count
        }
        return made
    }

    private func read(_ file: [UInt8]) throws(CommandMistake) -> [Line] {
        var (lines, faults): ([Line], [String]) = ([], [])
        var codes: [FiscalCode: Int] = [:]
        let today = provisioning.store.now().dateUTC
        for (index, text) in file.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            guard !text.allSatisfy({ $0 == 32 || $0 == 13 }) else { continue }
            let number = index + 1
            do {
                let person = try Self.person(text)
                _ = try NewPerson(person, today: today, columns: provisioning.store.columns)
                if let first = codes.updateValue(number, forKey: person.fiscalCode) {
                    faults.append("line \(number): the same fiscal code as in line \(first)")
                }
                lines.append(Line(number: number, person: person))
            } catch {
                faults.append("line \(number): \(Self.words(error))")
            }
            if faults.count > Self.faultsMax { break }
        }
        guard faults.isEmpty else {
            let more = faults.count > Self.faultsMax ? "\n…" : ""
            throw CommandMistake(
                description: "Nobody was made. What is wrong:\n"
                    + faults.prefix(Self.faultsMax).joined(separator: "\n") + more)
        }
        guard !lines.isEmpty else { throw CommandMistake(description: "There is nobody in the file.") }
        return lines
    }

    private static func person(_ text: ArraySlice<UInt8>) throws -> Accounts.Provision.Person {
        let limits = JSONLimits(depthMax: 4, bytesMax: lineBytesMax, valuesMax: 100)
        return try JSONDecoder(limits: limits, unknownKeys: .refuse, refusesControlCharacters: true)
            .decode(Accounts.Provision.Person.self, from: Array(text))
    }

    private static func words(_ error: any Error) -> String {
        if let refusal = error as? Refusal { return refusal.detail }
        guard let error = error as? JSONError else { return "\(error)" }
        let problem = Problem(error)
        let faults = problem.errors.map { "\($0.pointer.map { "\($0.dropFirst()) " } ?? "")\($0.detail)" }
        return faults.isEmpty ? problem.detail ?? "is no JSON" : faults.joined(separator: ", ")
    }

    private static func mistake(_ refusal: Refusal, in some: [Line], after made: Int) -> CommandMistake {
        // The pointer is /people/N/member.
        let parts = refusal.faults.first?.pointer.split(separator: "/") ?? []
        let line = parts.count > 1 ? Int(parts[1]).flatMap { some.indices.contains($0) ? some[$0].number : nil } : nil
        let place = line.map { "Line \($0): " } ?? ""
        let member = parts.count > 2 ? " (\(parts[2]))" : ""
        return CommandMistake(
            description:
                "\(place)\(refusal.detail)\(member) People made before: \(made). Mend the line, and say the same again, with the same name."
        )
    }
}
