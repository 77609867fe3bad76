import RPC
import Feed
import ServiceTesting
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Testing

@testable import Accounts

@Suite struct RegistrationTests {
    @Test("ACC-01a ACC-02a ACC-06a: An individual registers, confirms by the link in the mail, and logs in; not before")
    func individual() async throws {
        try await AccountsTest.with { test in
            var person = TestPerson()
            person.more = #","residence":"F205","occupation":"employed","phone":"+39 02 1234567","language":"en""#
            let registered = try await test.register(person)
            #expect(registered.status == 202)
            #expect(UUID(try registered.text("account_id")) != nil)
            let early = try await test.logIn(person.email)
            #expect(early.status == 403 && early.code == "not-confirmed")
            let token = try await test.linkToken()
            #expect(test.settings.mailbox.messages.last?.subject == "Confirm your e-mail address")
            #expect(try await test.confirm(token).status == 200)
            #expect(try await test.logIn(person.email).status == 200)
        }
    }

    @Test(
        "ACC-02cdg ACC-05a: Data that cannot be a person's is refused with the place and the reason",
        arguments: [
            (#""fiscal_code":"BNCNNA80E57F205X""#, 422, "invalid-request", "/fiscal_code"),
            (#""birth_date":"1980-05-18""#, 422, "birth-date-differs", "/birth_date"),
            (#""name":" ""#, 422, "invalid-value", "/name"),
            (#""email":"anna@example""#, 422, "invalid-request", "/email"),
            (#""password":"short""#, 422, "weak-password", "/password"),
            (#""password":"bianchi-1980""#, 422, "weak-password", "/password"),
            (#""terms_version":"2019-01""#, 422, "terms-not-accepted", "/terms_version"),
        ])
    func refused(_ member: String, _ status: Int, _ code: String, _ pointer: String) async throws {
        try await AccountsTest.with { test in
            let name = member.split(separator: ":")[0]
            let form = TestPerson().form.split(separator: ",").map { part in
                part.drop { $0.isWhitespace || $0 == "{" }.hasPrefix(name)
                    ? (part.contains("{") ? "{" : "") + member + (part.contains("}") ? "}" : "") : String(part)
            }.joined(separator: ",")
            let answer = try await test.send(.post, "/individuals", form)
            #expect(answer.status == status && answer.code == code)
            #expect(answer.json["errors"]?.items.first?["pointer"]?.text == pointer)
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 0)
        }
    }

    @Test("ACC-02c: A fiscal code with omocodia letters is accepted, and is another person's than the plain one")
    func omocodia() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.register(TestPerson()).status == 202)
            var other = TestPerson(email: "other@example.org")
            var letters = Array(other.code.utf8.dropLast())
            letters[14] = Array("LMNPQRSTUV".utf8)[Int(letters[14] - 48)]
            let last = (65...90).first { FiscalCode(String(decoding: letters + [UInt8($0)], as: UTF8.self)) != nil }
            other.code = String(decoding: letters + [UInt8(try #require(last))], as: UTF8.self)
            #expect(try await test.register(other).status == 202)
        }
    }

    @Test("ACC-01b ACC-02f: Fiscal code and e-mail address are one individual's, whatever the case")
    func unique() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.register(TestPerson()).status == 202)
            var sameCode = TestPerson(email: "another@example.org")
            sameCode.code = sameCode.code.lowercased()
            let code = try await test.register(sameCode)
            #expect(code.status == 409 && code.code == "fiscal-code-taken")
            var sameEmail = TestPerson(number: 7)
            sameEmail.email = "ANNA@Example.org"
            let email = try await test.register(sameEmail)
            #expect(email.status == 409 && email.code == "email-taken")
            let company = try await test.send(.post, "/third-parties", TestCompany(email: "anna@example.org").form)
            #expect(company.status == 409 && company.code == "email-taken")
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 1)
        }
    }

    @Test("ACC-02f: Of registrations with one fiscal code at the same time exactly one succeeds")
    func race() async throws {
        try await AccountsTest.with { test in
            let statuses = try await withThrowingTaskGroup(of: UInt16.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        try await test.register(TestPerson(email: "anna\(number)@example.org")).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [202, 409, 409, 409])
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 1)
        }
    }

    @Test(
        "ACC-01ac ACC-03ac ACC-04ab: A company's third-party and organiser accounts share address and VAT number, nobody else"
    )
    func companies() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.send(.post, "/third-parties", TestCompany().form).status == 202)
            #expect(try await test.send(.post, "/organisers", TestCompany().form).status == 202)
            func refusal(_ path: String, _ company: TestCompany) async throws -> String? {
                let answer = try await test.send(.post, path, company.form)
                #expect(answer.status == 409)
                return answer.code
            }
            #expect(try await refusal("/organisers", TestCompany()) == "email-taken")
            #expect(try await refusal("/third-parties", TestCompany(email: "b@salus.example")) == "vat-number-taken")
            #expect(try await refusal("/third-parties", TestCompany(vat: "12345670017")) == "email-taken")
            let namesake = TestCompany(name: "SALUS  s.r.l.", vat: "12345670017", email: "c@salus.example")
            #expect(try await refusal("/third-parties", namesake) == "company-name-taken")
            #expect(try await test.send(.post, "/organisers", namesake.form).status == 202)
            let wrong = try await test.send(.post, "/third-parties", TestCompany(vat: "00743110158").form)
            #expect(wrong.status == 422)
            let individual = try await test.register(TestPerson(email: "info@salus.example"))
            #expect(individual.code == "email-taken")
        }
    }

    @Test(
        "ACC-01c ACC-04b: A second account needs both the first one's address and its VAT number, whichever kind came first"
    )
    func secondAccount() async throws {
        for (first, second) in [("/third-parties", "/organisers"), ("/organisers", "/third-parties")] {
            try await AccountsTest.with { test in
                #expect(try await test.send(.post, first, TestCompany().form).status == 202)
                for (company, code) in [
                    (TestCompany(name: "Vita S.p.A.", vat: "12345670017"), "email-taken"),
                    (TestCompany(name: "Vita S.p.A.", email: "b@salus.example"), "vat-number-taken"),
                ] {
                    let answer = try await test.send(.post, second, company.form)
                    #expect(answer.status == 409 && answer.code == code, "\(second)")
                    #expect(try await test.send(.post, first, company.form).code == code, "\(first)")
                }
                #expect(try await test.send(.post, second, TestCompany().form).status == 202)
                #expect(try await test.send(.post, second, TestCompany().form).status == 409)
                #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 2)
            }
        }
    }

    @Test("ACC-05b: Version and time of the acceptance are kept, and the terms can be read in both languages")
    func terms() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let kept = try await test.database.query(
                "select version, accepted_at from terms_acceptance", as: String.self, Timestamp.self)
            #expect(kept.count == 1 && kept[0].0 == "2026-01" && kept[0].1 == test.clock.now())
            let terms = try await test.send(.get, "/terms")
            #expect(terms.json["individual"]?["version"]?.text == "2026-01")
            let url = try #require(terms.json["third_party"]?["text_url"]?.text)
            let path = try #require(url.firstRange(of: "/terms/")).lowerBound
            #expect(try await test.send(.get, String(url[path...])).json.text?.contains("Milano") == true)
            #expect(
                try await test.send(.get, String(url[path...]) + "?language=en").json.text?.contains("Milan.") == true)
            #expect(try await test.send(.get, "/terms/individual/2019-01").status == 404)
        }
    }

    @Test("NFR-05d: Nothing personal is in the database in the clear, and no password")
    func encrypted() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            _ = try await test.company()
            let text = try await test.database.query(
                """
                select concat_ws(' ', (select string_agg(to_jsonb(a)::text, ' ') from account a),
                  (select string_agg(to_jsonb(p)::text, ' ') from person p),
                  (select string_agg(to_jsonb(c)::text, ' ') from company c),
                  (select string_agg(to_jsonb(w)::text, ' ') from password w),
                  (select string_agg(to_jsonb(m)::text, ' ') from mail m),
                  (select string_agg(encode(f.payload, 'escape'), ' ') from feed_event f))
                """, as: String.self)[0]
            #expect(text.contains("scrypt") && text.contains("individual"))
            for secret in ["anna", "Bianchi", TestPerson().code, "Salus", "00743110157", AccountsTest.password] {
                let hexadecimal = hex(secret.utf8)
                #expect(!text.contains(secret) && !text.contains(hexadecimal))
            }
        }
    }
}
