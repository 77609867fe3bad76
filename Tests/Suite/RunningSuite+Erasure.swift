import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension RunningSuite {
    /// A third party's program, and a run of next week, for `personWithEverything`.
    func programAndRun(_ newcomers: inout Newcomers) async throws -> (program: API, run: UUID) {
        let company = try await company("Cardio", as: .thirdParty, &newcomers)
        let organiser = try await self.company("Podistica", as: .organiser, &newcomers)
        return (
            try await company.program(name: "Following", scopes: ["requests"]),
            try await RunInTheMiddle.announce(
                RunInTheMiddle.path(), by: organiser, startingIn: .seconds(7 * 86_400))
        )
    }

    /// Somebody with something in every service: samples, a request, an enrolment in AutomatedSOS, and one in a run, if there is one.
    func personWithEverything(
        _ program: API, in run: UUID? = nil, _ newcomers: inout Newcomers
    ) async throws -> Patient {
        let individual = try await individual(newcomers.person(birthYears: 1950...1960))
        let device = try await individual.pairDevice(name: "Watch", types: [.heartRate, .position])
        try await device.upload([.heartRate(61)])
        let phone = try #require(PhoneNumber("+390212345678"))
        try await individual.api.patient.enrol(
            EnrolmentForm(
                clausesVersion: API.termsVersion, callbackPhone: phone,
                contacts: [.init(name: "A daughter", phone: phone, email: individual.email)]))
        if let run { _ = try await individual.api.patient.enrol(in: run) }
        let now = Timestamp.now().wholeMilliseconds
        let request = try await program.patient.createRequest(
            RequestForm(
                fiscalCode: individual.fiscalCode, dataTypes: [.heartRate], from: now - .seconds(3600),
                to: now + .seconds(86_400), mode: "subscription", reason: "A study of hearts"))
        try await individual.api.patient.decide("acceptance", on: request.id)
        return Patient(individual: individual, device: device)
    }

    func receipt(_ token: String) async throws -> ErasureReceipt {
        try await API(client).patient.erasureReceipt(token)
    }

    /// Waits until all services have reported; the receipt.
    @discardableResult
    func completedReceipt(_ token: String) async throws -> ErasureReceipt {
        var receipt = try await receipt(token)
        try await eventually("the erasure is complete") {
            receipt = try await self.receipt(token)
            return receipt.completedAt != nil
        }
        return receipt
    }

    /// Nothing of an erased account is stored but tombstones; before the second pass what neighbours said last may be.
    func isGone(_ account: UUID, sweptToo isSwept: Bool = false) async throws {
        let rows: [(ServiceName, SQL)] = [
            (.accounts, "select count(*) = 0 from account where id = \(account)"),
            (.accounts, "select count(*) = 0 from device where account = \(account)"),
            (.ingestion, "select count(*) = 1 from person where account_id = \(account) and erased_at is not null"),
            (.query, "select count(*) = 0 from request where individual_id = \(account)"),
            (.query, "select count(*) = 0 from access where individual_id = \(account)"),
            (.dispatcher, "select count(*) = 0 from enrolment where account = \(account)"),
            (.dispatcher, "select count(*) = 1 from erasure where account = \(account)"),
        ]
        for (service, question) in rows { #expect(try await stored(service, question), "\(service)") }
        for table in ["arrival", "arrival_set_aside", "block", "upload", "source", "import_part", "day_value"] {
            let none: SQL = """
                select count(*) = 0 from \(identifier: table) t join person p on p.number = t.person
                where p.account_id = \(account)
                """
            #expect(try await stored(.ingestion, none), "\(table)")
        }
        try await isNamedNowhere(account, outOf: isSwept ? [] : Self.fedLate)
    }

    /// What a neighbour said last may come after the erasure: the second pass, 20 minutes later, takes it.
    private static let fedLate: Set<String> = ["watch", "run_watch", "feed_gap"]

    /// No column that is not marked as a tombstone has the account's id, once what was on its way is gone; other tables may.
    private func isNamedNowhere(_ account: UUID, outOf others: Set<String>) async throws {
        let database = cluster.database()
        var named: [String] = []
        let deadline = Deadline.after(.patience)
        repeat {
            named = try await columns(naming: account, outOf: others, in: database)
            if !named.isEmpty { try await EventLoop.current?.sleep(for: .milliseconds(100)) }
        } while !named.isEmpty && !deadline.hasPassed
        #expect(named == [])
        await database.close()
    }

    private func columns(
        naming account: UUID, outOf others: Set<String>, in database: Database
    ) async throws -> [String] {
        var named: [String] = []
        for (schema, marks) in try ColumnMarks.all() {
            let columns = try await ColumnMarks.columns(of: schema, in: database)
            for column in marks.emptied(of: columns) where !others.contains(column.table) {
                let found = try await database.queryOne(
                    """
                    select exists (select from \(identifier: schema).\(identifier: column.table)
                      where \(identifier: column.name) = \(account))
                    """, as: Bool.self)
                if found == true { named.append("\(schema).\(column)") }
            }
        }
        return named
    }

    /// No file of the database and no log holds what only the erased person has.
    func isNowhere(_ patient: Patient) async throws {
        let words = [
            patient.individual.email.description, patient.fiscalCode, "390212345678", "A daughter", "A study of hearts",
        ]
        let database = cluster.database()
        try await database.execute("checkpoint")
        await database.close()
        for word in words {
            for (place, more) in [
                (cluster.data, ["--exclude-dir=pg_wal"]), (directory.path, ["--include=*.log"]),
            ] {
                let output = directory.file("found.txt")
                let grep = try await ChildProcess.start(
                    ["grep", "-rlF"] + more + ["-e", word, place], output: output)
                // 1: nothing was found.
                #expect(try await grep.waitForEnd(within: .seconds(60)) == .exited(1), "\(word)")
            }
        }
    }
}
