/// Messages of track4run to organisers and runners (RUN-02, RUN-04, RUN-06 to RUN-08, RUN-11).
extension MessageCatalogue {
    static let runMessages = [
        MessageTemplate(
            "run-created",
            italian: .init(
                "Gara creata: «{run}»", "La tua gara «{run}» è stata creata. Codice: {code}. Partenza: {start}."),
            english: .init("Run created: “{run}”", "Your run “{run}” was created. Code: {code}. Start: {start}.")),
        MessageTemplate(
            "run-changed",
            italian: .init("Gara modificata: «{run}»", "La gara «{run}» è stata modificata. Partenza: {start}."),
            english: .init("Run changed: “{run}”", "The run “{run}” was changed. Start: {start}.")),
        MessageTemplate(
            "run-clauses-changed",
            italian: .init(
                "Nuove condizioni: «{run}»",
                """
                Le condizioni della gara «{run}» sono cambiate. Per partecipare accettale nella tua pagina TrackMe prima della
                partenza: {start}.
                """),
            english: .init(
                "New clauses: “{run}”",
                """
                The clauses of the run “{run}” have changed. To take part, accept them on your TrackMe page before the start:
                {start}.
                """)),
        MessageTemplate(
            "run-moved",
            italian: .init(
                "Iscrizione terminata: «{run}»",
                """
                La gara «{run}» è stata spostata e ora si svolge mentre corri in un'altra gara: la tua iscrizione è terminata.
                Nuova partenza: {start}.
                """),
            english: .init(
                "Enrolment ended: “{run}”",
                """
                The run “{run}” was moved and is now at the time of another run that you are enrolled in: your enrolment has
                ended. New start: {start}.
                """)),
        MessageTemplate(
            "run-cancelled",
            italian: .init("Gara annullata: «{run}»", "La gara «{run}» è stata annullata e le iscrizioni sono chiuse."),
            english: .init("Run cancelled: “{run}”", "The run “{run}” was cancelled, and its enrolments have ended.")),
        MessageTemplate(
            "run-enrolled",
            italian: .init(
                "Iscrizione a «{run}»", "Sei iscritto alla gara «{run}» con il pettorale {bib}. Partenza: {start}."),
            english: .init("Enrolled in “{run}”", "You are enrolled in the run “{run}” with bib {bib}. Start: {start}.")
        ),
        MessageTemplate(
            "run-left",
            italian: .init("Ritiro da «{run}»", "Ti sei ritirato dalla gara «{run}»."),
            english: .init("Withdrawn from “{run}”", "You have withdrawn from the run “{run}”.")),
        MessageTemplate(
            "check-in-missed",
            italian: .init(
                "Check-in mancato: «{run}»", "Non hai accettato il check-in e non partecipi alla gara «{run}»."),
            english: .init(
                "Check-in missed: “{run}”", "You have not accepted the check-in and are not in the run “{run}”.")),
        MessageTemplate(
            "run-finished",
            italian: .init("Risultati: «{run}»", "La gara «{run}» è finita. Il tuo risultato: {result}."),
            english: .init("Results: “{run}”", "The run “{run}” is over. Your result: {result}.")),
    ]
}
