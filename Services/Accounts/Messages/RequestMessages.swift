/// Messages of the query service to people and third parties (REQ-04, REQ-07, REQ-10, RUN-08).
extension MessageCatalogue {
    static let requestMessages = [
        MessageTemplate(
            "request-received", push: .request,
            italian: .init(
                "«{company}» chiede i tuoi dati",
                """
                L'azienda «{company}» chiede di ricevere questi tuoi dati: {data_types|types}.

                Periodo: {from|day} – {to|last-day}, {mode|mode}{granularity|terms}

                Il motivo, con le parole dell'azienda: «{reason}»

                Nulla viene condiviso se non accetti. Puoi accettare, anche solo in parte, o rifiutare nella tua pagina
                TrackMe. Senza risposta la richiesta decade: {lapses_at|time}.
                """),
            english: .init(
                "“{company}” asks for your data",
                """
                The company “{company}” asks to receive these data of yours: {data_types|types}.

                Period: {from|day} – {to|last-day}, {mode|mode}{granularity|terms}

                The reason, in the company's words: “{reason}”

                Nothing is shared unless you accept. You can accept, also in part, or refuse on your TrackMe page.
                Without an answer the request lapses on {lapses_at|time}.
                """)),
        MessageTemplate(
            "check-in-requested", push: .checkIn,
            italian: .init(
                "Check-in: «{run}»",
                """
                La corsa sta per cominciare: «{run}».

                Per partecipare accetta di condividere posizione e parametri di salute con l'organizzatore «{company}»
                (e-mail {email}, partita IVA {vat_number}) fino alla fine della corsa ({to|time}). Chi non ha accettato prima della
                partenza ({lapses_at|time}) non partecipa.
                """),
            english: .init(
                "Check-in: “{run}”",
                """
                The run is about to begin: “{run}”.

                To take part, accept to share position and health parameters with the organiser “{company}” (e-mail
                {email}, VAT number {vat_number}) until the run ends ({to|time}). Who has not accepted before the start
                ({lapses_at|time}) is not in the run.
                """)),
        MessageTemplate(
            "check-in-requested-privately", push: .checkIn,
            italian: .init(
                "Check-in: «{run}»",
                """
                La corsa sta per cominciare: «{run}».

                Per partecipare accetta di condividere la posizione con l'organizzatore «{company}» (e-mail {email}) fino alla
                fine della corsa ({to|time}). Chi non ha accettato prima della partenza ({lapses_at|time}) non partecipa.
                """),
            english: .init(
                "Check-in: “{run}”",
                """
                The run is about to begin: “{run}”.

                To take part, accept to share the position with the organiser “{company}” (e-mail {email}) until the run
                ends ({to|time}). Who has not accepted before the start ({lapses_at|time}) is not in the run.
                """)),
        outcome(
            "request-accepted", "Richiesta accettata", "è stata accettata. Dati condivisi: {data_types|types}.",
            "Request accepted", "was accepted. Data shared: {data_types|types}."),
        outcome(
            "request-refused", "Richiesta rifiutata", "è stata rifiutata.", "Request refused", "was refused."),
        outcome(
            "request-lapsed", "Richiesta decaduta", "non ha avuto risposta in tempo e vale come rifiutata.",
            "Request lapsed", "was not answered in time and counts as refused."),
        outcome(
            "request-withdrawn", "Consenso revocato",
            "non vale più: il consenso è stato revocato. Non arrivano più dati.",
            "Consent withdrawn", "is no longer in force: the consent was withdrawn. No more data is shared."),
        outcome("request-ended", "Richiesta conclusa", "è conclusa.", "Request ended", "has ended."),
        outcome(
            "data-unavailable", "Dati non più disponibili", "riguarda dati non più disponibili: {data_types|types}.",
            "Data no longer available", "concerns data that is no longer available: {data_types|types}."),
        outcome(
            "data-available", "Dati di nuovo disponibili", "riguarda dati di nuovo disponibili: {data_types|types}.",
            "Data available again", "concerns data that is available again: {data_types|types}."),
        MessageTemplate(
            "events-new",
            italian: .init(
                "Novità sulle tue richieste di dati: {events}",
                """
                Eventi nuovi: {events}, richieste interessate: {requests}.

                {list}

                I dati non stanno in questo messaggio: si leggono nella pagina di ogni richiesta, dopo l'accesso.

                {link}
                """),
            english: .init(
                "News about your data requests: {events}",
                """
                New events: {events}, requests concerned: {requests}.

                {list}

                The data is not in this message: read it at the page of each request, after the log-in.

                {link}
                """)),
        MessageTemplate(
            "results-link",
            italian: .init(
                "I risultati della tua richiesta",
                """
                I risultati della richiesta si leggono e si scaricano da questa pagina, dopo l'accesso:

                {link}

                Numero della richiesta: {request_id}
                """),
            english: .init(
                "The results of your request",
                """
                Read and download the results of the request at this page, after the log-in:

                {link}

                Number of the request: {request_id}
                """)),
        MessageTemplate(
            "webhook-disabled",
            italian: .init(
                "Webhook disattivato: {host}",
                """
                Il webhook verso {host} è stato disattivato: dal {since|time} nessuna consegna è riuscita, oppure il ricevitore ha
                dichiarato di non esistere più. Ultimo esito: {outcome}

                Gli eventi restano disponibili: riattiva il webhook quando il ricevitore funziona, e saranno inviati, oppure leggili
                con un cursore.

                Numero del webhook: {webhook_id}
                """),
            english: .init(
                "Webhook disabled: {host}",
                """
                The webhook to {host} was disabled: since {since|time} no delivery has succeeded, or the receiver has said that it is
                gone. Last outcome: {outcome}

                Events are kept: activate the webhook when the receiver works, and they are sent, or read them with a cursor.

                Number of the webhook: {webhook_id}
                """)),
    ]

    /// Both the requester and the person may get it.
    private static func outcome(
        _ name: String, _ italianSubject: String, _ italian: String, _ englishSubject: String, _ english: String
    ) -> MessageTemplate {
        MessageTemplate(
            name,
            italian: .init(
                "\(italianSubject): «{company}»",
                "La richiesta di «{company}» \(italian)\n\nNumero della richiesta: {request_id}"),
            english: .init(
                "\(englishSubject): “{company}”",
                "The request of “{company}” \(english)\n\nNumber of the request: {request_id}"))
    }
}
