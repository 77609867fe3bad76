import PostgresTesting
import Contracts
import Domain
import Glibc
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct ProvisionFileTests {
    /// Runs the command with a file of these lines.
    private func provision(_ test: AccountsTest, _ lines: [String], name: String = "clinic") async throws -> String {
        let path = "/tmp/trackme-test-\(UUID.random()).jsonl"
        let file = try #require(fopen(path, "w"))
        fputs(lines.joined(separator: "\n"), file)
        fclose(file)
        defer { unlink(path) }
        return try await OperatorCommand(try test.capabilities.provisioning).run(["provision", name, path])
    }

    private func line(_ number: Int, email: String? = nil) throws -> String {
        var person = TestPerson(number: number)
        if let email { person.email = email }
        return String(decoding: try JSONEncoder().encode(person.provisioned), as: UTF8.self)
    }

    private func mistake(_ body: () async throws -> String) async throws -> String {
        do {
            return "done: \(try await body())"
        } catch let mistake as CommandMistake {
            return mistake.description
        }
    }

    @Test("ACC-05 NFR-06: The operator provisions people from a file: once, each with a mail that leads to a password")
    func file() async throws {
        try await AccountsTest.with { test in
            let lines = try (0..<(Accounts.Provision.peopleMax + 2)).map { try line($0) } + [""]
            let said = try await provision(test, lines)
            #expect(said.hasPrefix("People provisioned: \(lines.count - 1)."))
            func counts() async throws -> [Int] {
                let counts = try await test.database.queryOne(
                    """
                    select (select count(*) from person), (select count(*) from device), (select count(*) from mail)
                    """, as: Int.self, Int.self, Int.self)
                return counts.map { [$0.0, $0.1, $0.2] } ?? []
            }
            let made = try await counts()
            #expect(made == [lines.count - 1, lines.count - 1, lines.count - 1])
            // Again, and with one more.
            _ = try await provision(test, lines + [try line(9000)])
            #expect(try await counts() == made.map { $0 + 1 })
            let provisioned = try await test.service.auditLines().filter { $0.action == "accounts.provision" }
            #expect(Set(provisioned.map(\.actor)) == [OperatorCommand.actor])
        }
    }

    @Test(
        "ACC-05: All lines are checked before anybody is made, and what is wrong is told by line; who is there already, too"
    )
    func faults() async throws {
        try await AccountsTest.with { test in
            let wrong = [
                try line(1), "{", #"{"name":"Anna"}"#, try line(1, email: "b@example.org"),
                try line(2).replacing("\"name\"", with: "\"nome\""),
            ]
            let told = try await mistake { try await provision(test, wrong) }
            #expect(told.hasPrefix("Nobody was made."))
            for number in 2...5 { #expect(told.contains("\nline \(number): "), "\(told)") }
            #expect(!told.contains("line 1:") && told.contains("the same fiscal code as in line 1"))
            #expect(try await test.database.queryOne("select count(*) from person", as: Int.self) == 0)

            _ = try await test.individual(TestPerson(number: 7))
            let exists = try await mistake {
                try await provision(test, ["", try line(6), try line(7)])
            }
            #expect(exists.hasPrefix("Line 3: ") && exists.contains("(fiscal_code)"), "\(exists)")
            #expect(try await test.database.queryOne("select count(*) from person", as: Int.self) == 1)
            #expect(try await mistake { try await provision(test, [""]) } == "There is nobody in the file.")
            let absent = try await mistake {
                try await OperatorCommand(try test.capabilities.provisioning).run(["provision", "x", "/nonexistent"])
            }
            #expect(absent.contains("/nonexistent cannot be used"))
        }
    }
}
