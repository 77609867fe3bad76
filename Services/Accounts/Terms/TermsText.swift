import Domain

/// The text of the terms, as it is shown (ACC-05).
enum TermsText {
    static func text(_ kind: AccountKind, _ language: Language) -> String {
        switch (kind, language) {
        case (.individual, .english):
            """
            Privacy policy of TrackMe for individuals

            TrackMe keeps what your devices measure and what you enter, encrypted, so that you can look at it. Nobody
            else sees it unless you accept that party's request; you can withdraw at any time, and it takes effect at
            once. Your data also counts, without your name and together with more than 1000 other people's, in group
            statistics that third parties may ask for. Noise is added so that nothing can be learned about you alone.
            If you enrol in AutomatedSOS, an ambulance service receives your identity, position and readings in an
            emergency. You can correct your profile, download everything held about you, and delete your account with
            all of it.
            """
        case (.individual, .italian):
            """
            Informativa sulla privacy di TrackMe per le persone

            TrackMe conserva in forma cifrata ciò che i tuoi dispositivi misurano e ciò che inserisci, perché tu possa
            consultarlo. Nessun altro lo vede se non accetti la sua richiesta; puoi revocare il consenso in ogni
            momento, con effetto immediato. I tuoi dati contano inoltre, senza il tuo nome e insieme a quelli di più
            di 1000 altre persone, in statistiche di gruppo che terze parti possono chiedere. Viene aggiunto del
            rumore, così che nulla si possa apprendere su di te soltanto. Se ti iscrivi ad AutomatedSOS, in
            un'emergenza un servizio di ambulanza riceve identità, posizione e misure. Puoi correggere il profilo,
            scaricare tutto ciò che ti riguarda e cancellare l'account con tutto il suo contenuto.
            """
        case (_, .english):
            """
            Terms of TrackMe for third parties and organisers

            You receive a person's data only with that person's consent and for the reason you stated. You are
            responsible for what you disclose of it, and you erase what you no longer need for that reason. You do not
            try to identify people in group statistics. Italian law applies; the place of jurisdiction is Milan.
            """
        case (_, .italian):
            """
            Condizioni di TrackMe per terze parti e organizzatori

            Ricevi i dati di una persona solo con il suo consenso e per il motivo dichiarato. Sei responsabile di ciò
            che ne divulghi e cancelli ciò che per quel motivo non serve più. Non tenti di identificare persone nelle
            statistiche di gruppo. Si applica la legge italiana; il foro competente è Milano.
            """
        }
    }
}
