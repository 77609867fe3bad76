import Contracts
import HTTP
import Postgres
import PostgresTesting
import ProcessTesting
import RPC
import Reactor
import Testing

extension BadDays {
    /// `trackme-accounts bounce`, as a mail transfer agent calls it, which knows the exit status alone (sysexits.h).
    @Suite struct BounceCommandTests {
        private static let report = """
            From: MAILER-DAEMON@relay.example
            Content-Type: multipart/report; report-type=delivery-status; boundary="abc"

            --abc
            Content-Type: message/delivery-status

            Reporting-MTA: dns; relay.example

            Final-Recipient: rfc822; person1@example.org
            Action: failed
            Status: 5.1.1

            --abc--

            """

        /// A program with the interface of `sendmail` that writes down which address reports go to.
        private static func settings(_ paths: String) -> String {
            #"""
            "mail_program": ["/bin/sh", "-c", "cat >/dev/null; echo \"$3\" >>\#(paths)", "sendmail"],
            "mail_from": "no-reply@trackme.example", "mail_bounces": "bounces@trackme.example"
            """#
        }

        @Test(
            "ACC-17 NFR-04: a delivery report comes in by the program's input; one that is broken is refused for good, and all others are taken later when a database is away",
            .timeLimit(.minutes(5)))
        func statuses() async throws {
            try await ServiceSchemas.with { schemas, test in
                try await TestDirectory.with { directory in
                    let accounts = try ServiceProgram(
                        "accounts", in: directory, database: .shared(), schemas: schemas)
                    try accounts.configure {
                        $0.replacing(
                            "\"mail_directory\": \"\(directory.file("mail"))\"",
                            with: Self.settings(directory.file("paths")))
                    }
                    let address = try await accounts.running {
                        try await accounts.waitUntilReady()
                        return try await Self.addressOfReports(accounts, test, directory)
                    }
                    let good = try directory.write("report", Self.report)
                    let broken = try directory.write("broken", Self.report.replacing("Action: failed\n", with: ""))
                    let answer = try directory.write("answer", "Subject: away\n\nUntil Monday.\n")
                    func status(_ file: String, _ words: String...) async throws -> ChildProcess.Ending {
                        let process =
                            words.isEmpty
                            ? try await accounts.begin(input: file, "bounce")
                            : try await accounts.begin(input: file, "bounce", words[0])
                        return try await process.waitForEnd()
                    }
                    func marks() async throws -> Int? {
                        try await test.database.queryOne(
                            "select count(*) from account where undeliverable_status = '5.1.1'", as: Int.self)
                    }
                    func said(_ words: String) throws -> Bool {
                        try directory.read("accounts-command.log").contains(words)
                    }

                    #expect(try await status(broken, address) == .exited(1))
                    #expect(try said("It says that it is a delivery report, but has no part"))
                    #expect(try await status(good) == .exited(1))
                    #expect(try said("Say bounce RECIPIENT"))
                    #expect(try await status(answer, address) == .exited(0))
                    #expect(try await status(good, "bounces+1.2@trackme.example") == .exited(0))
                    #expect(try await marks() == 0)

                    // Away is what a report has to be written to, or sealed with.
                    let here = "\"hosts\": [\"\(try DatabaseAddress.shared().hosts[0])\"]"
                    let away = "\"hosts\": [\"127.0.0.1:\(try Ports.free())\"]"
                    for member in ["database", "keystore"] {
                        try accounts.configure {
                            $0.replacing("\"\(member)\": {\(here)", with: "\"\(member)\": {\(away)")
                        }
                        #expect(try await status(good, address) == .exited(75), "\(member)")
                        try accounts.configure { $0.replacing(away, with: here) }
                        #expect(try await marks() == 0)
                    }

                    for _ in 0..<2 { #expect(try await status(good, address) == .exited(0)) }
                    #expect(try said("The address is marked: mail to it comes back."))
                    #expect(try await marks() == 1)
                }
            }
        }

        /// Has a mail sent to somebody's own address; where reports on it go.
        private static func addressOfReports(
            _ accounts: ServiceProgram, _ test: TestDatabase, _ directory: TestDirectory
        ) async throws -> String {
            let simulator = try accounts.client(as: "simulator", loops: test.loops)
            let person = try People.person(1)
            _ = try await simulator.call(
                Accounts.Provision.self, .init(population: People.population, people: [person]))
            await simulator.close()
            let asked = try await accounts.send(
                .post, "/accounts/v1/password-resets", json: #"{"email":"\#(person.email)"}"#)
            #expect(asked.status == .accepted)
            var lines: [Substring] = []
            try await eventually("the mail leaves") {
                lines = (try? directory.read("paths"))?.split(separator: "\n") ?? []
                return !lines.isEmpty
            }
            let address = try #require(lines.last)
            #expect(address.hasPrefix("bounces+") && address.hasSuffix("@trackme.example"))
            return String(address)
        }
    }
}
