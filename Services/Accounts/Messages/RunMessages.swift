/// Messages of track4run to organisers and runners (RUN-02, RUN-04, RUN-06 to RUN-08, RUN-11).
extension MessageCatalogue {
    static let runMessages = [
        MessageTemplate(
            "run-created",
            italian: .init(
                "Corsa creata: «{run}»", "La tua corsa «{run}» è stata creata. Codice: {code}. Partenza: {start|time}."),
            english: .init("Run created: “{run}”", "Your run “{run}” was created. Code: {code}. Start: {start|time}.")),
        MessageTemplate(
            "run-changed",
            italian: .init("Corsa modificata: «{run}»", "La corsa «{run}» è stata modificata. Partenza: {start|time}."),
            english: .init("Run changed: “{run}”", "The run “{run}” was changed. Start: {start|time}.")),
        MessageTemplate(
            "run-clauses-changed",
            italian: .init(
                "Nuove condizioni: «{run}»",
                """
                Le condizioni della corsa «{run}» sono cambiate. Per partecipare accettale nella tua pagina TrackMe prima della
                partenza: {start|time}.
                """),
            english: .init(
                "New clauses: “{run}”",
                """
                The clauses of the run “{run}” have changed. To take part, accept them on your TrackMe page before the start:
                {start|time}.
                """)),
        MessageTemplate(
            "run-moved",
            italian: .init(
                "Iscrizione terminata: «{run}»",
                """
                La corsa «{run}» è stata spostata e ora si svolge mentre corri in un'altra corsa: la tua iscrizione è terminata.
                Nuova partenza: {start|time}.
                """),
            english: .init(
                "Enrolment ended: “{run}”",
                """
                The run “{run}” was moved and is now at the time of another run that you are enrolled in: your enrolment has
                ended. New start: {start|time}.
                """)),
        MessageTemplate(
            "run-cancelled",
            italian: .init(
                "Corsa annullata: «{run}»", "La corsa «{run}» è stata annullata e le iscrizioni sono chiuse."),
            english: .init("Run cancelled: “{run}”", "The run “{run}” was cancelled, and its enrolments have ended.")),
        MessageTemplate(
            "run-enrolled",
            italian: .init(
                "Iscrizione a «{run}»",
                "Sei iscritto alla corsa «{run}» con il pettorale {bib}. Partenza: {start|time}."),
            english: .init(
                "Enrolled in “{run}”", "You are enrolled in the run “{run}” with bib {bib}. Start: {start|time}.")
        ),
        MessageTemplate(
            "run-left",
            italian: .init("Ritiro da «{run}»", "Ti sei ritirato dalla corsa «{run}»."),
            english: .init("Withdrawn from “{run}”", "You have withdrawn from the run “{run}”.")),
        MessageTemplate(
            "check-in-missed",
            italian: .init(
                "Check-in mancato: «{run}»", "Non hai accettato il check-in e non partecipi alla corsa «{run}»."),
            english: .init(
                "Check-in missed: “{run}”", "You have not accepted the check-in and are not in the run “{run}”.")),
        MessageTemplate(
            "run-finished",
            italian: .init("Risultati: «{run}»", "La corsa «{run}» è finita. Il tuo risultato: {result|result}."),
            english: .init("Results: “{run}”", "The run “{run}” is over. Your result: {result|result}.")),
    ]
}
