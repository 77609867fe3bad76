/// Messages of this service about accounts, sessions and devices.
extension MessageCatalogue {
    static let confirmEmail = MessageTemplate(
        "confirm-email",
        italian: .init(
            "Conferma il tuo indirizzo e-mail",
            """
            Benvenuto in TrackMe.

            Per confermare il tuo indirizzo apri questo collegamento entro 24 ore e premi il pulsante:

            {link}

            Se non ti sei registrato, ignora questo messaggio: senza conferma la registrazione decade.
            """),
        english: .init(
            "Confirm your e-mail address",
            """
            Welcome to TrackMe.

            To confirm your address, open this link within 24 hours and press the button:

            {link}

            If you have not registered, ignore this message: without confirmation the registration lapses.
            """))

    static let confirmAsParent = MessageTemplate(
        "confirm-as-parent",
        italian: .init(
            "Serve il tuo consenso di genitore",
            """
            Buongiorno «{name}»,

            qualcuno ha indicato questo indirizzo come quello del genitore di chi, avendo meno di 14 anni, vuole usare
            TrackMe. Per vedere di chi si tratta e decidere apri questo collegamento entro 24 ore:

            {link}

            Se non ne sai nulla, ignora questo messaggio: senza il tuo consenso la registrazione decade.
            """),
        english: .init(
            "Your consent as a parent is needed",
            """
            Dear “{name}”,

            somebody has named this address as that of the parent of a person under 14 who wants to use TrackMe. To see
            who it is and to decide, open this link within 24 hours:

            {link}

            If you know nothing of it, ignore this message: without your consent the registration lapses.
            """))

    static let invitation = MessageTemplate(
        "invitation",
        italian: .init(
            "Il tuo account TrackMe ti aspetta",
            """
            Per te è stato preparato un account TrackMe. Per scegliere la password apri questo collegamento entro 7 giorni;
            accedendo leggerai le condizioni e deciderai a che cosa acconsenti:

            {link}

            Se il collegamento è scaduto, chiedine un altro con «Password dimenticata?» nella pagina di accesso.
            """),
        english: .init(
            "Your TrackMe account is waiting for you",
            """
            A TrackMe account was prepared for you. To choose a password, open this link within 7 days; at log-in you will
            read the terms and decide what you consent to:

            {link}

            If the link has expired, ask for another one with “Forgotten password?” on the log-in page.
            """))

    static let accountErased = MessageTemplate(
        "account-erased",
        italian: .init(
            "Il tuo account TrackMe è cancellato",
            """
            Il tuo account TrackMe e i tuoi dati sono stati cancellati da tutti i servizi. La ricevuta dice che cosa è stato
            cancellato e dove, che cosa la legge ci fa conservare e fino a quando:

            {link}

            Conserva questo messaggio: del collegamento non resta traccia altrove, e questo indirizzo non è più in nostro
            possesso.
            """),
        english: .init(
            "Your TrackMe account is erased",
            """
            Your TrackMe account and your data have been erased from all services. The receipt tells what was erased where,
            what the law makes us keep, and until when:

            {link}

            Keep this message: there is no trace of the link elsewhere, and we do not have this address any more.
            """))

    static let exportReady = MessageTemplate(
        "export-ready",
        italian: .init(
            "I tuoi dati sono pronti",
            """
            L’archivio con tutto ciò che TrackMe conserva di te è pronto. Lo trovi fino al {until|last-day} nella pagina «Mio
            account»; per scaricarlo serve la password.

            Se non l’hai chiesto tu, cambia subito la password.
            """),
        english: .init(
            "Your data are ready",
            """
            The archive with everything that TrackMe has of you is ready. You find it until {until|last-day} on the page “My
            account”; downloading it needs the password.

            If it was not you who asked for it, change your password at once.
            """))

    static let exportFailed = MessageTemplate(
        "export-failed",
        italian: .init(
            "I tuoi dati non sono pronti",
            """
            L’archivio dei tuoi dati non si è potuto preparare, perché una parte di TrackMe non ha risposto per due giorni. Chiedilo
            di nuovo nella pagina «Mio account»; se non riesce, scrivi all’assistenza.
            """),
        english: .init(
            "Your data are not ready",
            """
            The archive of your data could not be made, since a part of TrackMe has not answered for two days. Ask for it again
            on the page “My account”; if that fails, write to support.
            """))

    static let collectedDataErased = MessageTemplate(
        "collected-data-erased",
        italian: .init(
            "I dati raccolti sono cancellati",
            """
            Quello che i tuoi dispositivi hanno raccolto fino alla tua richiesta è stato cancellato. Il tuo account resta.
            La ricevuta dice che cosa è stato cancellato:

            {link}

            Se non sei stato tu a chiederlo, cambia subito la password.
            """),
        english: .init(
            "The collected data are erased",
            """
            What your devices had collected up to your request has been erased. Your account stays. The receipt tells what
            was erased:

            {link}

            If it was not you who asked for it, change your password at once.
            """))

    static let wrongPasswords = MessageTemplate(
        "wrong-passwords",
        italian: .init(
            "Tentativi di accesso falliti",
            """
            In data {time|time} è stata inserita per la terza volta di seguito una password sbagliata per il tuo account TrackMe.

            Se non sei stato tu, qualcuno sta cercando di accedere. Ulteriori tentativi sono rallentati; la tua
            password non è stata rivelata.
            """),
        english: .init(
            "Failed log-ins",
            """
            On {time|time} a wrong password was entered for your TrackMe account for the third time in a row.

            If that was not you, somebody is trying to get in. Further tries are slowed down; your password has not
            been revealed.
            """))

    static let sessionReused = MessageTemplate(
        "session-reused",
        italian: .init(
            "Una sessione è stata chiusa per sicurezza",
            """
            In data {time|time} una chiave di sessione del tuo account TrackMe è stata usata due volte. Potrebbe averla copiata
            qualcuno, quindi la sessione è stata chiusa. Accedi di nuovo e, se non sai spiegartelo, controlla i tuoi
            dispositivi.
            """),
        english: .init(
            "A session was ended for your safety",
            """
            On {time|time} a session key of your TrackMe account was used twice. Somebody may have copied it, so the
            session was ended. Please log in again, and check your devices if you cannot explain it.
            """))

    static let resetPassword = MessageTemplate(
        "reset-password",
        italian: .init(
            "Scegli una nuova password",
            """
            Per scegliere una nuova password per il tuo account TrackMe ({kind|kind}) apri questo collegamento entro 30
            minuti:

            {link}

            Se non l'hai chiesto tu, ignora questo messaggio: la password resta quella che è.
            """),
        english: .init(
            "Choose a new password",
            """
            To choose a new password for your TrackMe account ({kind|kind}), open this link within 30 minutes:

            {link}

            If you have not asked for it, ignore this message: your password stays as it is.
            """))

    static let passwordChanged = MessageTemplate(
        "password-changed",
        italian: .init(
            "La tua password è cambiata",
            """
            In data {time|time} la password del tuo account TrackMe è stata cambiata; gli altri accessi sono terminati.

            Se non sei stato tu, scegli subito una nuova password con «Password dimenticata?» nella pagina di accesso.
            """),
        english: .init(
            "Your password was changed",
            """
            On {time|time} the password of your TrackMe account was changed; other log-ins have ended.

            If that was not you, choose a new password at once, with “Forgotten password?” on the log-in page.
            """))

    static let emailUndeliverable = MessageTemplate(
        "email-undeliverable",
        italian: .init(
            "La posta al tuo indirizzo torna indietro",
            """
            Il tuo indirizzo e-mail rifiuta i nostri messaggi: per ora li trovi solo qui. Controlla la casella; poi, nella pagina
            «Il mio account», fanne mandare uno di prova.
            """),
        english: .init(
            "Mail to your address comes back",
            """
            Your e-mail address refuses our messages: for now you find them only here. Check the mailbox; then have a trial message
            sent, on the page “My account”.
            """))

    static let emailWorks = MessageTemplate(
        "email-works",
        italian: .init(
            "Il tuo indirizzo funziona",
            "Questo messaggio di prova è arrivato: gli altri arriveranno di nuovo anche qui."),
        english: .init(
            "Your address works", "This trial message has arrived: the others will come here again, too."))

    static let collectionResumed = MessageTemplate(
        "collection-resumed",
        italian: .init("La raccolta è ripresa", "La pausa è finita: {group|group} si raccolgono di nuovo."),
        english: .init("Collection goes on", "The pause is over: {group|group} are collected again."))

    static let devicePaired = MessageTemplate(
        "device-paired",
        italian: .init(
            "Nuovo dispositivo: «{device}»", "Il dispositivo «{device}» è ora collegato al tuo account TrackMe."),
        english: .init("New device: “{device}”", "The device “{device}” is now paired with your TrackMe account."))

    static let accountMessages = [
        confirmEmail, confirmAsParent, invitation, wrongPasswords, sessionReused, resetPassword, passwordChanged,
        emailUndeliverable, emailWorks, collectionResumed, devicePaired, accountErased, collectedDataErased,
        exportReady, exportFailed,
    ]
}
