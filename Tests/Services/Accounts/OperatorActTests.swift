import Contracts
import Domain
import Edge
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// What operators do at their pages.
@Suite struct OperatorActTests {
    private func search(_ rosa: inout TestOperator, _ member: String, _ value: String) async throws -> [JSONValue] {
        let found = try await rosa.send(
            .post, "/accounts/search", #"{"\#(member)":"\#(value)","reason":"ticket 7"}"#)
        #expect(found.status == 200)
        #expect(found.response.fields["Cache-Control"] == "no-store")
        return found.json["accounts"]?.items ?? []
    }

    @Test(
        "NFR-06: An account is found by what its owner is known by; the answer has no name and no address, and is audited"
    )
    func find() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            let salus = try await test.company()
            let before = try await test.service.auditLines().count
            let person = TestPerson()
            for (member, value) in [("email", person.email.uppercased()), ("fiscal_code", "\(person.code)")] {
                let found = try await search(&rosa, member, value)
                #expect(found.count == 1)
                let one = try #require(found.first)
                #expect(one["id"]?.text == anna.account.description)
                #expect(one["kind"]?.text == "individual")
                #expect(one["confirmed_at"]?.text != nil)
                #expect(one["suspended_at"] == nil)
                let text = String(decoding: try JSONEncoder().encode(one), as: UTF8.self).lowercased()
                for word in ["anna", person.email.lowercased(), "\(person.code)".lowercased()] {
                    #expect(!text.contains(word), "\(word)")
                }
            }
            let company = try await search(&rosa, "vat_number", TestCompany().vat)
            #expect(company.first?["id"]?.text == salus.account.description)
            #expect(company.first?["company_name"]?.text == TestCompany().name)
            #expect(try await search(&rosa, "email", "nobody@example.org").isEmpty)
            let noted = try await test.service.auditLines().dropFirst(before)
            #expect(noted.map { $0.pseudonym != nil } == [true, true, true, false])
            #expect(noted.allSatisfy { "\($0)" == "operator rosa \(AccountSearch.action) ticket 7" })
            for body in [#"{"reason":"x"}"#, #"{"email":"a@b.it","vat_number":"12345678903","reason":"x"}"#] {
                #expect(try await rosa.send(.post, "/accounts/search", body).status == 422)
            }
            #expect(
                try await rosa.send(.post, "/accounts/search", #"{"email":"a@example.org","reason":""}"#).code
                    == "no-purpose")
        }
    }

    @Test("NFR-06 ACC-15a: Suspension and admission of what was found, with their effects, under the operator's name")
    func change() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            let salus = try await test.company()
            func act(_ account: UUID, _ path: String, _ body: String) async throws -> AccountsTest.Answer {
                try await rosa.send(.post, "/accounts/\(account)/\(path)", body)
            }
            #expect(try await act(anna.account, "suspension", #"{"is_suspended":true,"reason":"abuse"}"#).status == 204)
            #expect(try await test.logIn("anna@example.org").code == "suspended")
            #expect(try await search(&rosa, "email", "anna@example.org").first?["suspended_at"]?.text != nil)
            #expect(try await act(anna.account, "suspension", #"{"is_suspended":false,"reason":"over"}"#).status == 204)
            #expect(try await test.logIn("anna@example.org").status == 200)

            #expect(
                try await act(salus.account, "admission", #"{"is_admitted":true,"reason":"contract"}"#).status == 204)
            #expect(try await search(&rosa, "email", TestCompany().email).first?["admitted_at"]?.text != nil)
            #expect(
                try await act(anna.account, "admission", #"{"is_admitted":true,"reason":"x"}"#).code
                    == "no-such-third-party")
            #expect(
                try await act(.random(), "suspension", #"{"is_suspended":true,"reason":"x"}"#).code == "no-such-account"
            )
            let acts: Set = [Accounts.Suspend.name, Suspension.restoration, Accounts.Admit.name]
            let actors = try await test.service.auditLines().filter { acts.contains($0.action) }.map(\.actor)
            #expect(Set(actors) == ["operator rosa"])
        }
    }

    @Test("ACC-14f NFR-06: Applications are admitted, get another secret and are withdrawn at the page")
    func applications() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let form =
                #"{"name":"Fit","data_types":["steps"],"redirect_uris":["https://fit.example/done"],"is_public":false}"#
            let made = try await rosa.send(.post, "/applications", form)
            #expect(made.status == 201)
            let (id, secret) = (try made.text("client_id"), try made.text("client_secret"))
            #expect(try await rosa.send(.post, "/applications", form).code == "name-taken")
            let wrong = form.replacing("https://fit", with: "http://fit").replacing("Fit\"", with: "Fat\"")
            #expect(
                try await rosa.send(.post, "/applications", wrong).json["errors"]?.items.first?["pointer"]?.text
                    == "/redirect_uris/0")
            let renewed = try await rosa.send(.post, "/applications/\(id)/secret")
            #expect(renewed.status == 200)
            #expect(try renewed.text("client_secret") != secret)
            let listed = try await rosa.send(.get, "/applications").json["applications"]?.items
            #expect(listed?.map { $0["client_id"]?.text } == [id])
            #expect(try await rosa.send(.post, "/applications/\(id)/withdrawal", #"{"reason":"leak"}"#).status == 204)
            #expect(
                try await rosa.send(.post, "/applications/\(id)/withdrawal", #"{"reason":"leak"}"#).code
                    == "unknown-application")
        }
    }

    @Test(
        "ACC-17 ACC-12a ACC-13: What waits is seen without whom it is for, and mail is tried at once when the operator says so"
    )
    func queues() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            let before = try await rosa.send(.get, "/queues").json
            #expect(before["mail_waiting"]?.integer == 0)
            test.settings.mailbox.fail(1)
            #expect(try await test.forget("anna@example.org").status == 202)
            _ = try? await test.deliver()
            #expect(try await test.send(.post, "/me/exports", token: anna.token).status == 202)
            #expect(
                try await test.send(
                    .post, "/me/erasures", token: anna.token,
                    #"{"password":"\#(AccountsTest.password)","scope":"collected-data"}"#
                ).status == 202)
            let seen = try await rosa.send(.get, "/queues")
            let mail = try #require(seen.json["mail"]?.items.first)
            #expect(mail["attempts"]?.integer == 1)
            #expect(mail["due_at"]?.text != nil)
            #expect(seen.json["exports"]?.items.first?["state"]?.text == "waiting")
            #expect(seen.json["erasures"]?.items.first?["missing"]?.items.map(\.text) == ["ingestion"])
            let text = String(decoding: try JSONEncoder().encode(seen.json), as: UTF8.self)
            #expect(!text.contains("anna") && !text.contains(anna.account.description))

            let sent = try await rosa.send(.post, "/mail/sending", #"{"reason":"relay mended"}"#)
            #expect(sent.json["mails"]?.integer == 1)
            #expect(try await test.deliver() > 0)
            #expect(try await rosa.send(.get, "/queues").json["mail_waiting"]?.integer == 0)
        }
    }

    @Test("NFR-06: The audit trail is read from its end, page after page; to read it is an entry")
    func audit() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            for number in 0...AuditView.rowsMax {
                _ = try await search(&rosa, "email", "nobody\(number)@example.org")
            }
            try await test.capabilities.audit.tie()
            let first = try await rosa.send(.get, "/audit").json
            #expect(first["entries"]?.items.count == AuditView.rowsMax)
            #expect(first["entries"]?.items.first?["actor"]?.text == "operator rosa")
            let next = try #require(first["next"]?.integer)
            let second = try await rosa.send(.get, "/audit?before=\(next)").json
            #expect(second["entries"]?.items.first?["sequence"]?.integer == next - 1)
            #expect(second["entries"]?.items.last?["action"]?.text == OperatorAccounts.invitation)
            #expect(second["next"] == nil)
            try await test.capabilities.audit.tie()
            let again = try await rosa.send(.get, "/audit").json
            #expect(again["entries"]?.items.first?["action"]?.text == AuditView.action)
            #expect(try await rosa.send(.get, "/audit?before=x").status == 422)
        }
    }

    @Test("NFR-06b: Operators' acts are read apart from services' look-ups, with what they do by commands and by RPC")
    func ownActs() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            let query = test.service.rpc(as: "query")
            for _ in 0..<3 {
                _ = try await query.call(Accounts.Name.self, .init(accountID: anna.account, purpose: "request"))
            }
            let form = #"{"is_suspended":true,"reason":"abuse"}"#
            #expect(try await rosa.send(.post, "/accounts/\(anna.account)/suspension", form).status == 204)
            _ = try await test.service.rpc(as: "operator").call(
                Accounts.Suspend.self,
                .init(
                    email: try EmailAddress(validating: "anna@example.org"), kind: .individual, isSuspended: false,
                    reason: "over"))
            try await test.capabilities.audit.tie()
            func read(_ query: String) async throws -> [JSONValue] {
                let page = try await rosa.send(.get, "/audit\(query)")
                #expect(page.status == 200)
                return page.json["entries"]?.items ?? []
            }
            let all = try await read("?by=everybody").map { $0["action"]?.text }
            #expect(all.count(where: { $0 == Accounts.Name.name }) == 3)
            #expect(
                try await read("?by=operators").map { "\($0["actor"]?.text ?? "") \($0["action"]?.text ?? "")" } == [
                    "operator \(Suspension.restoration)", "operator rosa \(Accounts.Suspend.name)",
                    "operator rosa \(OperatorLogin.action)", "\(OperatorCommand.actor) \(OperatorAccounts.invitation)",
                ])
            try await test.capabilities.audit.tie()
            let looks = try await read("?by=operators&before=1000").prefix(2).map { $0["purpose"]?.text }
            #expect(looks == ["operators, latest", "latest"])
            for wrong in ["?by=x", "?by=", "?by=operators&by=operators", "?operators=true"] {
                #expect(try await rosa.send(.get, "/audit\(wrong)").status == 422, "\(wrong)")
            }
        }
    }

    @Test("NFR-06b: The entries about one account are read page after page, with a reason, and no others")
    func aboutAccount() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            let bruno = try await test.individual(TestPerson(number: 1))
            let query = test.service.rpc(as: "query")
            for number in 0...AuditView.rowsMax {
                _ = try await query.call(Accounts.Name.self, .init(accountID: anna.account, purpose: "request"))
                guard number.isMultiple(of: 10) else { continue }
                _ = try await query.call(Accounts.Name.self, .init(accountID: bruno.account, purpose: "request"))
            }
            try await test.capabilities.audit.tie()
            func read(_ account: UUID, _ form: String = #"{"reason":"ticket 7"}"#) async throws -> AccountsTest.Answer {
                try await rosa.send(.post, "/accounts/\(account)/audit", form)
            }
            let first = try await read(anna.account)
            #expect(first.status == 200)
            #expect(first.response.fields["Cache-Control"] == "no-store")
            #expect(first.json["entries"]?.items.count == AuditView.rowsMax)
            let next = try #require(first.json["next"]?.integer)
            let second = try await read(anna.account, #"{"reason":"ticket 7","before":\#(next)}"#).json
            #expect(second["entries"]?.items.count == 1)
            #expect(second["next"] == nil)
            let entries = (first.json["entries"]?.items ?? []) + (second["entries"]?.items ?? [])
            #expect(entries.allSatisfy { $0["actor"]?.text == "query" && $0["action"]?.text == Accounts.Name.name })
            #expect(Set(entries.map { $0["pseudonym"]?.text }).count == 1)
            #expect(Set(entries.compactMap { $0["sequence"]?.integer }).count == AuditView.rowsMax + 1)
            #expect(try await read(bruno.account).json["entries"]?.items.count == AuditView.rowsMax / 10 + 1)

            // What was read of anna, and by whom, is about her, too.
            try await test.capabilities.audit.tie()
            let looks = try await read(anna.account).json["entries"]?.items.prefix(3).map {
                "\($0["actor"]?.text ?? "") \($0["action"]?.text ?? "") \($0["purpose"]?.text ?? "")"
            }
            let look = "operator rosa \(AuditView.accountAction) ticket 7"
            #expect(looks == [look, look, "query \(Accounts.Name.name) request"])
            for wrong in ["{}", #"{"reason":""}"#, #"{"reason":"x","before":"y"}"#, #"{"reason":"x","after":1}"#] {
                #expect(try await read(anna.account, wrong).status == 422, "\(wrong)")
            }
        }
    }

    @Test("NFR-06b ACC-12a: Of an account that was erased no entries are found by its id, and those there are stay")
    func aboutErased() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            _ = try await test.service.rpc(as: "query").call(
                Accounts.Name.self, .init(accountID: anna.account, purpose: "request"))
            try await test.capabilities.audit.tie()
            let path = "/accounts/\(anna.account)/audit"
            let form = #"{"reason":"ticket 7"}"#
            #expect(try await rosa.send(.post, path, form).json["entries"]?.items.count == 1)
            let erasure = #"{"password":"\#(AccountsTest.password)","scope":"account"}"#
            #expect(try await test.send(.post, "/me/erasures", token: anna.token, erasure).status == 202)
            let unknown = try await rosa.send(.post, path, form)
            #expect(unknown.status == 404 && unknown.code == "no-such-account")
            try await test.capabilities.audit.tie()
            let entries = try await rosa.send(.get, "/audit").json["entries"]?.items ?? []
            // The question about who is not there any more, the one before, and the look-up.
            let kept = entries.filter {
                [AuditView.accountAction, Accounts.Name.name].contains($0["action"]?.text)
            }
            #expect(kept.map { $0["pseudonym"] != nil } == [false, true, true])
        }
    }

    @Test(
        "ACC-05: People of a file are provisioned at the page; what is wrong is told by line, and nobody is made then")
    func people() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            func line(_ number: Int) throws -> String {
                String(decoding: try JSONEncoder().encode(TestPerson(number: number).provisioned), as: UTF8.self)
            }
            func send(_ query: String, _ file: String) async throws -> AccountsTest.Answer {
                try await rosa.send(.post, "/people\(query)", fields: TestOperator.file, file)
            }
            let good = try [line(1), line(2)].joined(separator: "\n")
            let refused = try await send("?name=clinic", good + "\n{}")
            #expect(refused.code == "not-provisioned")
            #expect(refused.json["detail"]?.text?.contains("line 3") == true)
            #expect(try await test.database.queryOne("select count(*) from person", as: Int.self) == 0)
            let long = String(repeating: "a", count: ProvisionFile.nameCharactersMax + 1)
            for query in ["", "?name=", "?name=\(long)"] {
                #expect(try await send(query, good).code == "invalid-request", "\(query)")
            }
            // It is not the page's file.
            let other = try await rosa.send(.post, "/people?name=clinic", good)
            #expect(other.status == 415)
            #expect(other.response.fields["Accept-Post"] == "application/jsonl")
            #expect(try await test.database.queryOne("select count(*) from person", as: Int.self) == 0)
            let made = try await send("?name=clinic", good)
            #expect(made.json["people"]?.integer == 2)
            let actors = try await test.service.auditLines().filter { $0.action == "accounts.provision" }.map(\.actor)
            #expect(Set(actors) == ["operator rosa"])
        }
    }

    @Test("ACC-12b: While a restored backup is erased again, operators see nothing of accounts")
    func restoring() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let withholding = test.service.context.withholding
            withholding.begin()
            let form = #"{"email":"anna@example.org","reason":"x"}"#
            #expect(try await rosa.send(.post, "/accounts/search", form).code == "restoring")
            #expect(try await rosa.send(.get, "/audit").code == "restoring")
            let about = try await rosa.send(.post, "/accounts/\(UUID.random())/audit", #"{"reason":"x"}"#)
            #expect(about.code == "restoring")
            #expect(try await rosa.send(.get, "/session").status == 200)
            withholding.end()
            #expect(try await rosa.send(.post, "/accounts/search", form).status == 200)
        }
    }
}
