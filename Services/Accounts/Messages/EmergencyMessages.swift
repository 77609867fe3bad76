/// Messages of the dispatcher to enrolled people (SOS-01, SOS-08, SOS-11 to SOS-13).
extension MessageCatalogue {
    static let emergencyMessages = [
        MessageTemplate(
            "sos-enrolled",
            italian: .init("AutomatedSOS è attivo", "I tuoi parametri vitali sono ora sorvegliati da AutomatedSOS."),
            english: .init("AutomatedSOS is on", "Your vital signs are now watched by AutomatedSOS.")),
        MessageTemplate(
            "sos-ended",
            italian: .init("AutomatedSOS è spento", "I tuoi parametri vitali non sono più sorvegliati."),
            english: .init("AutomatedSOS is off", "Your vital signs are no longer watched.")),
        MessageTemplate(
            "sos-paused",
            italian: .init(
                "AutomatedSOS è in pausa",
                "Fino al {until|time} nessuno sorveglia i tuoi parametri vitali. Poi la sorveglianza riprende da sola."),
            english: .init(
                "AutomatedSOS is paused",
                "Until {until|time} nobody watches your vital signs. Then watching resumes by itself.")),
        MessageTemplate(
            "sos-resumed",
            italian: .init(
                "AutomatedSOS sorveglia di nuovo",
                "La pausa è finita: i tuoi parametri vitali sono di nuovo sorvegliati. Controlla di indossare il dispositivo."
            ),
            english: .init(
                "AutomatedSOS watches again",
                "The pause is over: your vital signs are watched again. Make sure that you wear the device.")),
        MessageTemplate(
            "incident-countdown", isUrgent: true, push: .alarm,
            italian: .init(
                "Emergenza rilevata: stiamo per chiamare",
                """
                In data {time|time} i tuoi parametri hanno superato una soglia critica ({cause|types}). I soccorsi vengono
                chiamati tra {seconds} secondi ({calls_at|time}). Se stai bene, segnala prima un falso allarme: nessuno
                verrà chiamato.
                """),
            english: .init(
                "Emergency detected: we are about to call",
                """
                On {time|time} your readings passed a critical threshold ({cause|types}). An ambulance service is called in
                {seconds} seconds ({calls_at|time}). If you are well, report a false alarm before that: nobody will be
                called.
                """)),
        MessageTemplate(
            "incident-manual", isUrgent: true, push: .alarm,
            italian: .init(
                "SOS ricevuto",
                "In data {time|time} è stato chiesto aiuto con il tasto SOS. I soccorsi vengono avvisati. Se è stato un errore, annulla subito."
            ),
            english: .init(
                "SOS received",
                "On {time|time} help was called with the SOS button. An ambulance service is being told. If it was a mistake, call it off at once."
            )),
        MessageTemplate(
            "incident-opened", isUrgent: true, push: .alarm,
            italian: .init(
                "Emergenza rilevata",
                """
                In data {time|time} i tuoi parametri hanno superato una soglia critica ({cause|types}). I soccorsi vengono avvisati.
                Se stai bene, segnala subito un falso allarme.
                """),
            english: .init(
                "Emergency detected",
                """
                On {time|time} your readings passed a critical threshold ({cause|types}). An ambulance service is being told.
                If you are well, report a false alarm at once.
                """)),
        MessageTemplate(
            "incident-late", isUrgent: true, push: .alarm,
            italian: .init(
                "Misure critiche arrivate in ritardo",
                """
                In data {time|time} una misura ({cause|types}) era oltre la soglia critica, ma è arrivata troppo tardi per chiamare i
                soccorsi da sola. Se non stai bene, chiama il 112.
                """),
            english: .init(
                "Critical readings came late",
                """
                On {time|time} a reading ({cause|types}) was beyond the critical threshold, but came too late to call an
                ambulance by itself. If you are not well, call 112.
                """)),
        MessageTemplate(
            "incident-accepted", isUrgent: true, push: .alarm,
            italian: .init(
                "I soccorsi arrivano", "Il servizio di ambulanza {service} ha accettato l'emergenza ({time|time})."),
            english: .init(
                "Help is on its way", "The ambulance service {service} has accepted the emergency of {time|time}.")),
        MessageTemplate(
            "incident-handed-back", isUrgent: true, push: .alarm,
            italian: .init(
                "Viene chiamato un altro servizio",
                """
                Il servizio di ambulanza {service} non può più venire per l'emergenza ({time|time}): ne viene chiamato un altro.
                """),
            english: .init(
                "Another service is being called",
                """
                The ambulance service {service} can no longer come for the emergency of {time|time}: another one is being called.
                """)),
        MessageTemplate(
            "incident-resolved",
            italian: .init(
                "Emergenza conclusa", "Il servizio di ambulanza {service} ha concluso l'emergenza ({time|time})."),
            english: .init(
                "Emergency closed", "The ambulance service {service} has closed the emergency of {time|time}.")),
        MessageTemplate(
            "contacts-told", isUrgent: true, push: .alarm,
            italian: .init(
                "I tuoi contatti vengono avvisati",
                """
                In data {time|time} una misura ({cause|types}) ha fatto pensare che tu abbia bisogno di qualcuno. Vengono avvisati i tuoi
                contatti di emergenza, non i soccorsi. Se non stai bene, chiama il 112.
                """),
            english: .init(
                "Your contacts are being told",
                """
                On {time|time} a reading ({cause|types}) suggested that you need somebody. Your emergency contacts are being told, no
                ambulance service. If you are not well, call 112.
                """)),
        MessageTemplate(
            "sos-thresholds-set",
            italian: .init(
                "Le tue soglie di AutomatedSOS sono cambiate",
                "Ora AutomatedSOS ti sorveglia con soglie personali. Se non sei stato tu a impostarle, cambia la password e toglile."
            ),
            english: .init(
                "Your limits of AutomatedSOS have changed",
                "AutomatedSOS now watches you with limits of your own. If it was not you who set them, change your password and remove them."
            )),
        MessageTemplate(
            "sos-thresholds-removed",
            italian: .init(
                "Le tue soglie di AutomatedSOS sono quelle comuni",
                "AutomatedSOS non usa più le tue soglie personali: valgono di nuovo quelle comuni."),
            english: .init(
                "Your limits of AutomatedSOS are the common ones",
                "AutomatedSOS no longer uses limits of your own: the common ones hold again.")),
        MessageTemplate(
            "sensor-lost",
            italian: .init(
                "AutomatedSOS non riceve misure",
                "Non arrivano misure valide da {time|time}: la sorveglianza è sospesa, e riprende da sola con le misure."
            ),
            english: .init(
                "AutomatedSOS gets no readings",
                "Since {time|time} no valid readings arrive, and watching is suspended. It resumes by itself with the readings."
            )),
    ]
}
