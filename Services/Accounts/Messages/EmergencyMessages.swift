/// Messages of the dispatcher to enrolled people (SOS-01, SOS-11 to SOS-13).
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
