import SuiteClient

/// What `deploy/run` shows in the end: log-ins, what to try, and three lines for a shell.
struct DemoFile {
    let configuration: SuiteConfiguration
    let accounts: DemoPeople.Accounts

    var text: String {
        let person = accounts.people[0]
        let people = accounts.people.map { "  \(pad("\($0.email)"))  \($0.fiscalCode)" }.joined(separator: "\n")
        return """
            Everybody's password is \(DemoPeople.password)

            Individuals (log in with e-mail or fiscal code):
            \(people)
            Third party:
              \(pad("\(accounts.thirdPartyForm.email)"))  \(accounts.thirdPartyForm.companyName)
            Organiser:
              \(pad("\(accounts.organiserForm.email)"))  \(accounts.organiserForm.companyName)

            Try, in this order:

              TOKEN=$(curl -s \(url("accounts"))/accounts/v1/sessions -H 'Content-Type: application/json' \
            -d '{"login": "\(person.email)", "password": "\(DemoPeople.password)"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
              curl -s \(url("ingestion"))/ingestion/v1/me/latest -H "Authorization: Bearer $TOKEN"
              curl -s \(url("query"))/query/v1/me/requests -H "Authorization: Bearer $TOKEN"

            """
    }

    private func url(_ service: String) -> String { configuration.public[service] ?? "" }

    private func pad(_ text: String) -> String { text + String(repeating: " ", count: max(0, 38 - text.count)) }
}
