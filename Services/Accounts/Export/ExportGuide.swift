import Domain

/// The page `index.html` of an export: what the files are, in the language of the account's messages.
enum ExportGuide {
    private struct Line {
        let path: String
        let italian: String
        let english: String
        var kinds: Set<AccountKind> = [.individual]
    }

    private static let companies: Set<AccountKind> = [.thirdParty, .organiser]
    private static let all = companies.union([.individual])

    private static let lines: [Line] = [
        Line(path: "account/profile.json", italian: "Il tuo profilo.", english: "Your profile.", kinds: all),
        Line(
            path: "account/agreements.json", italian: "Condizioni accettate e consensi, ciascuno con la ricevuta.",
            english: "Accepted terms and consents, each with its receipt."),
        Line(path: "account/picture.…", italian: "La tua immagine, se c’è.", english: "Your picture, if there is one."),
        Line(path: "account/devices.json", italian: "I tuoi dispositivi.", english: "Your devices."),
        Line(
            path: "account/collection.json, account/sources.json",
            italian: "Che cosa si raccoglie, e quale fonte conta.",
            english: "What is collected, and which source counts."),
        Line(
            path: "account/programs.json", italian: "I programmi che hanno accesso.", english: "Programs with access.",
            kinds: companies),
        Line(
            path:
                "account/messages.jsonl, account/notifications.json, account/sessions.json, account/second-factor.json, account/passkeys.json",
            italian:
                "I messaggi ricevuti, come li ricevi, gli accessi aperti, se l’accesso chiede un codice, e le tue passkey.",
            english:
                "The messages you got, how you get them, open log-ins, whether these ask for a code, and your passkeys.",
            kinds: all),
        Line(
            path: "samples/….csv",
            italian: "Ogni misura raccolta, una riga ciascuna: ora (UTC), valore, unità (UCUM), fonte.",
            english: "Every measurement that was collected, one per line: time (UTC), value, unit (UCUM), source."),
        Line(
            path: "samples/position.gpx", italian: "I luoghi come tracce GPX, per mappe e programmi di navigazione.",
            english: "Places as GPX tracks, for maps and navigation programs."),
        Line(
            path: "samples/days.csv",
            italian: "I valori di ogni giorno, anche dei giorni le cui misure hanno dovuto far posto.",
            english: "The values of each day, also of days whose measurements had to make room."),
        Line(
            path: "requests/requests.jsonl", italian: "Chi ha chiesto i tuoi dati, e che cosa hai deciso.",
            english: "Who asked for your data, and what you decided."),
        Line(
            path: "requests/accesses.jsonl", italian: "Chi ha ricevuto quali dati, e quando.",
            english: "Who received which data, and when."),
        Line(
            path: "requests/asked.jsonl",
            italian: "Le richieste fatte, e quelle per le corse organizzate.",
            english: "The requests you made, and those for runs that you organised.", kinds: all),
        Line(
            path: "requests/webhooks.jsonl", italian: "I tuoi webhook, senza i loro segreti.",
            english: "Your webhooks, without their secrets.", kinds: [.thirdParty]),
        Line(
            path: "requests/groups.jsonl", italian: "Le domande sui gruppi, con le risposte che hai ricevuto.",
            english: "Your questions about groups, with the answers that you received.", kinds: [.thirdParty]),
        Line(
            path: "requests/mailing.json", italian: "Che cosa hai scelto di ricevere per e-mail.",
            english: "What you chose to get by mail.", kinds: [.thirdParty]),
        Line(
            path: "payments/invoices.jsonl",
            italian: "Le fatture per le richieste accettate e per le risposte sui gruppi, pagate e da pagare.",
            english: "The invoices for accepted requests and for answers about groups, paid and unpaid.",
            kinds: [.thirdParty]),
        Line(
            path: "sos/enrolment.json, sos/contacts.json, sos/thresholds.json, sos/invoices.json, sos/incidents.jsonl",
            italian:
                "L’iscrizione ad AutomatedSOS con i contatti, che cosa hanno saputo, le soglie personali, le fatture, e le emergenze.",
            english:
                "The enrolment in AutomatedSOS with its contacts, what they were told, own limits, invoices, and the emergencies."
        ),
        Line(
            path: "runs/organised.jsonl, runs/enrolments.jsonl",
            italian: "Corse organizzate con i percorsi (GeoJSON), iscrizioni, risultati.",
            english: "Organised runs with their courses (GeoJSON), enrolments, results.", kinds: all),
    ]

    static func page(_ kind: AccountKind, _ language: Language) -> String {
        let isItalian = language == .italian
        let title = isItalian ? "I tuoi dati di TrackMe" : "Your data of TrackMe"
        let lead =
            isItalian
            ? "Questo archivio contiene tutto ciò che TrackMe conserva di te. JSON, JSON Lines e CSV si aprono con ogni "
                + "programma di testo o foglio di calcolo; i file che mancano non hanno contenuto."
            : "This archive holds everything that TrackMe has of you. JSON, JSON Lines and CSV open in any editor or "
                + "spreadsheet; files that are missing have no content."
        let safety =
            isItalian
            ? "Contiene dati sulla salute: tienilo dove solo tu puoi leggerlo."
            : "It holds health data: keep it where only you can read it."
        let items = lines.filter { $0.kinds.contains(kind) }.map { line in
            "<dt><code>\(line.path)</code></dt><dd>\(isItalian ? line.italian : line.english)</dd>"
        }
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark"><title>\(title)</title></head>
            <body style="margin:0 auto;max-width:40em;padding:1em;font:1em/1.5 system-ui,sans-serif">
            <h1>\(title)</h1>
            <p>\(lead)</p>
            <p><strong>\(safety)</strong></p>
            <dl>
            \(items.joined(separator: "\n"))
            </dl>
            </body></html>

            """
    }
}
