import SuiteClient

/// Who is in the sandbox, as a shell reads it: a name for each person by what he or she does. `deploy/run` puts the
/// addresses in front.
struct SandboxFile {
    let form: CompanyForm
    let client: ClientSecret
    let people: [SimulatedPerson]

    var text: String {
        var lines = [
            "CLIENT_ID=\(client.clientID)", "CLIENT_SECRET=\(client.clientSecret)",
            "LOGIN=\(form.email) PASSWORD=\(form.password)",
        ]
        for (role, person) in zip(SandboxRole.allCases, people) {
            let name = "\(role.rawValue.uppercased())=\(person.email)"
            let space = String(repeating: " ", count: max(1, 52 - name.count))
            lines.append("\(name)\(space)# \(person.fiscalCode) \(role.words)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
