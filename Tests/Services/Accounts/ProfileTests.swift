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

@Suite struct ProfileTests {
    @Test("ACC-11a ACC-02e: Individuals see their profile, with sex and birthplace from the fiscal code")
    func own() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let me = try await test.send(.get, "/me", token: anna.token).json
            #expect(me["email"]?.text == "anna@example.org" && me["kind"]?.text == "individual")
            #expect(me["sex"]?.text == "female" && me["birthplace"]?.text == "F205")
            #expect(me["person"]?["fiscal_code"]?.text == TestPerson().code)
            let salus = try await test.company()
            let company = try await test.send(.get, "/me", token: salus.token).json
            #expect(company["company"]?["vat_number"]?.text == "00743110157")
            #expect(company["company"]?["sector"]?.text == "Health" && company["person"] == nil)
        }
    }

    @Test(
        "ACC-03b ACC-11a: A third party says where and how it works, who represents it and how it pays, and can change it"
    )
    func companyDetails() async throws {
        try await AccountsTest.with { test in
            let representative = #"""
                {"name":"Carla","surname":"Neri","office_address":"Via Roma 1, Milano","phone":"+39 02 7654321",
                 "email":"neri@salus.example","fiscal_code":"\#(TestPerson().code)"}
                """#
            let details = #"""
                "legal_address":"Via Roma 1, Milano","billing_address":"Via Po 2, Torino","payment_method":"invoice",
                "legal_representative":\#(representative)
                """#
            let form = TestCompany().form.replacing(#""sector":"Health"}"#, with: #""sector":"Health",\#(details)}"#)
            #expect(try await test.send(.post, "/third-parties", form).status == 202)
            #expect(try await test.confirm(try await test.linkToken()).status == 200)
            let token = try LoggedIn(try await test.logIn("info@salus.example")).token
            let shown = try await test.send(.get, "/me", token: token).json["company"]
            #expect(shown?["legal_address"]?.text == "Via Roma 1, Milano")
            #expect(shown?["billing_address"]?.text == "Via Po 2, Torino")
            #expect(shown?["payment_method"]?.text == "invoice" && shown?["sector"]?.text == "Health")
            #expect(shown?["legal_representative"]?["surname"]?.text == "Neri")
            #expect(shown?["legal_representative"]?["office_address"]?.text == "Via Roma 1, Milano")
            #expect(shown?["legal_representative"]?["fiscal_code"]?.text == TestPerson().code)
            let changed = try await test.send(.patch, "/me", token: token, #"{"billing_address":"Via Po 3, Torino"}"#)
            #expect(changed.json["company"]?["billing_address"]?.text == "Via Po 3, Torino")
            #expect(changed.json["company"]?["legal_representative"]?["email"]?.text == "neri@salus.example")
        }
    }

    @Test("ACC-11a: A change touches what it names; null empties")
    func change() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let first = try await test.send(
                .patch, "/me", token: anna.token,
                #"{"surname":"Verdi","phone":"+39 02 1234567","occupation":"student","language":"en"}"#)
            #expect(first.status == 200 && first.json["language"]?.text == "en")
            #expect(first.json["person"]?["surname"]?.text == "Verdi")
            #expect(first.json["person"]?["phone"]?.text == "+39021234567")
            let second = try await test.send(.patch, "/me", token: anna.token, #"{"phone":null}"#)
            #expect(second.json["person"]?["phone"] == nil && second.json["person"]?["name"]?.text == "Anna")
            #expect(second.json["person"]?["occupation"]?.text == "student")
            #expect(try await test.send(.patch, "/me", token: anna.token, #"{"name":""}"#).status == 422)
        }
    }

    @Test(
        "ACC-11b: E-mail, fiscal code, VAT number and date of birth never change",
        arguments: ["email", "fiscal_code", "vat_number", "birth_date"])
    func unchangeable(_ member: String) async throws {
        try await AccountsTest.with { test in
            let organiser = TestCompany(
                kind: .organiser, name: "Corse", vat: "12345670017", email: "info@corse.example")
            let everybody = [
                try await test.individual(), try await test.company(), try await test.company(organiser),
            ]
            for who in everybody {
                let before = try await test.send(.get, "/me", token: who.token).json
                // A value that could be one, beside a change that could be made.
                let value = [
                    "email": "other@example.org", "fiscal_code": "BNCNNA80E57F205W", "vat_number": "00743110157",
                    "birth_date": "1980-05-18",
                ][member]
                let body = "{\"\(member)\":\"\(try #require(value))\",\"language\":\"en\"}"
                let answer = try await test.send(.patch, "/me", token: who.token, body)
                #expect(answer.status == 422 && answer.code == "unchangeable")
                let null = try await test.send(.patch, "/me", token: who.token, "{\"\(member)\":null}")
                #expect(null.status == 422 && null.code == "unchangeable")
                #expect(try await test.send(.get, "/me", token: who.token).json == before)
            }
        }
    }

    @Test("ACC-03c ACC-11: A third party cannot take another's name")
    func companyName() async throws {
        try await AccountsTest.with { test in
            _ = try await test.company()
            let other = try await test.company(
                TestCompany(name: "Vita S.p.A.", vat: "12345670017", email: "info@vita.example"))
            let taken = try await test.send(.patch, "/me", token: other.token, #"{"company_name":"Salus S.r.l."}"#)
            #expect(taken.status == 409 && taken.code == "company-name-taken")
            let free = try await test.send(.patch, "/me", token: other.token, #"{"company_name":"Vita Nova S.p.A."}"#)
            #expect(free.json["company"]?["company_name"]?.text == "Vita Nova S.p.A.")
        }
    }

    @Test("ACC-10: A new password needs the old one, and the new one twice; the other sessions end")
    func password() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            func change(_ old: String, _ new: String, _ again: String) async throws -> AccountsTest.Answer {
                try await test.send(
                    .put, "/me/password", token: anna.token,
                    "{\"old_password\":\"\(old)\",\"new_password\":\"\(new)\",\"new_password_again\":\"\(again)\"}")
            }
            let new = "another horse entirely"
            #expect(try await change(AccountsTest.password, new, "typing error").code == "passwords-differ")
            #expect(try await change(AccountsTest.password, "bianchi-1980", "bianchi-1980").code == "weak-password")
            #expect(try await change("wrong password", new, new).code == "wrong-password")
            #expect(try await change(AccountsTest.password, new, new).status == 204)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            #expect(try await test.send(.get, "/me", token: other.token).status == 401)
            #expect(try await test.logIn("anna@example.org").status == 401)
            #expect(try await test.logIn("anna@example.org", new).status == 200)
        }
    }
}
