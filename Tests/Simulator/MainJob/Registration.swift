import Domain
import SuiteClient

/// Step 1: an individual and a third party register, confirm by the link in a mail, log in (ACC-02, ACC-03, ACC-06, ACC-07).
struct Registration {
    struct Met {
        let individual: Individual
        let thirdParty: Company
    }

    let cast: Cast

    func run(_ newcomers: inout Newcomers) async throws(SuiteError) -> Met {
        let step = Step(1, "Registration")
        let person = newcomers.person(birthYears: 1980...1995)
        let watch = Stopwatch()
        _ = try await cast.api.register(person.form(password: MainJob.password))
        try await expectRefusal("not-confirmed", "\(person.email) could log in before the address was confirmed.") {
            () throws(SuiteError) in
            _ = try await Individual.logIn(person, password: MainJob.password, api: cast.api)
        }
        step.say("\(person.name) \(person.surname) registered; before confirming the log-in is refused (not-confirmed)")
        let link = try await cast.mailbox.link(to: person.email, containing: "/confirm#")
        try await cast.api.confirm(link: link)
        let individual = try await Individual.logIn(person, password: MainJob.password, api: cast.api)
        step.say("the mail's link confirmed \(person.email); logged in, in \(watch.elapsed.brief) altogether")
        let form = newcomers.company("Cardio Ricerche", password: MainJob.password)
        let thirdParty = try await cast.company(form, as: .thirdParty)
        step.say("third party \(form.companyName), VAT number \(form.vatNumber), confirmed and logged in")
        return Met(individual: individual, thirdParty: thirdParty)
    }
}
