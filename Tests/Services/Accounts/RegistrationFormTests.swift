import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct RegistrationFormTests {
    /// Place and code of each fault.
    private func faults(_ answer: AccountsTest.Answer) -> [String: String] {
        Dictionary(
            (answer.json["errors"]?.items ?? []).map { ($0["pointer"]?.text ?? "", $0["code"]?.text ?? "") }
        ) { first, _ in first }
    }

    @Test("ACC-02c ACC-02g: All that is wrong with a form is told at once, each with its place and its own code")
    func atOnce() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            var person = TestPerson()
            person.name = " "
            person.birth = try #require(CalendarDate(year: 1980, month: 5, day: 18))
            person.password = "short"
            person.terms = "2019-01"
            person.more =
                #","phone":"+39","residence":"Z999","occupation":"pilot","zone":"Mars/Base","colour":"red","a/b":1"#
            let answer = try await test.register(person)
            #expect(answer.status == 422 && answer.code == "invalid-request")
            #expect(
                faults(answer) == [
                    "/name": "invalid-value", "/birth_date": "birth-date-differs", "/password": "weak-password",
                    "/terms_version": "terms-not-accepted", "/phone": "invalid-value", "/occupation": "invalid-value",
                    "/zone": "unknown-zone", "/colour": "unknown-member", "/a~1b": "unknown-member",
                    "/email": "email-taken", "/fiscal_code": "fiscal-code-taken",
                ])
        }
    }

    @Test("ACC-02c ACC-03a: Members that are missing are named, and what is wrong with the others as well")
    func missing() async throws {
        try await AccountsTest.with { test in
            let person = try await test.send(.post, "/individuals", #"{"name":"","email":"anna@example"}"#)
            #expect(person.status == 422 && person.code == "invalid-request")
            #expect(
                faults(person) == [
                    "/name": "invalid-value", "/surname": "missing", "/birth_date": "missing",
                    "/fiscal_code": "missing",
                    "/email": "invalid-value", "/password": "missing", "/terms_version": "missing",
                ])
            let company = try await test.send(
                .post, "/third-parties", #"{"vat_number":"1","legal_representative":{"name":"Anna"},"sector":""}"#)
            #expect(
                faults(company) == [
                    "/company_name": "missing", "/vat_number": "invalid-value", "/sector": "invalid-value",
                    "/legal_representative/surname": "missing", "/email": "missing", "/password": "missing",
                    "/terms_version": "missing",
                ])
            let list = try await test.send(.post, "/individuals", "[]")
            #expect(list.status == 422 && list.code == "invalid-request")
            #expect(try await test.send(.post, "/individuals", "{").status == 400)
        }
    }

    @Test("ACC-01b ACC-02f: What others have is told together; a form with nothing else wrong is a conflict")
    func taken() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let both = try await test.register(TestPerson())
            #expect(both.status == 409 && both.code == "email-taken")
            #expect(faults(both) == ["/email": "email-taken", "/fiscal_code": "fiscal-code-taken"])
            _ = try await test.company()
            let company = try await test.send(.post, "/third-parties", TestCompany(email: "b@salus.example").form)
            #expect(faults(company) == ["/vat_number": "vat-number-taken", "/company_name": "company-name-taken"])
        }
    }

    @Test("ACC-11a: All that is wrong with a change of the profile is told at once")
    func change() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let answer = try await test.send(
                .patch, "/me", token: anna.token, #"{"name":" ","surname":"","zone":"Mars/Base"}"#)
            #expect(answer.status == 422 && answer.code == "invalid-request")
            #expect(faults(answer) == ["/name": "invalid-value", "/surname": "invalid-value", "/zone": "unknown-zone"])
        }
    }
}
