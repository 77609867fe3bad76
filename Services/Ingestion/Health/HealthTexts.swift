import Domain

/// What the health view says, in one language (ING-09). It names what was measured and what it was compared with; it
/// makes no diagnosis.
struct HealthTexts: Sendable {
    let language: Language

    private func say(_ italian: String, _ english: String) -> String { language == .italian ? italian : english }

    /// With at most one decimal place, and the language's decimal mark.
    func number(_ value: Double, decimals: Int = 0) -> String {
        guard decimals > 0 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        let mark = language == .italian ? "," : "."
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)\(mark)\(abs(tenths) % 10)"
    }

    // MARK: Score

    func reason(_ part: HealthScore.Part) -> String {
        let value = number(part.value, decimals: part.component == .sleep || part.component == .bodyMass ? 1 : 0)
        switch part.component {
        case .activity where part.isBySteps:
            return say("\(value) passi al giorno nell'ultima settimana", "\(value) steps a day in the last week")
        case .activity:
            return say(
                "\(value) minuti di attività almeno moderata a settimana",
                "\(value) minutes of at least moderate activity a week")
        case .sleep:
            return say(
                "\(value) ore di sonno per notte in due settimane", "\(value) hours of sleep a night in two weeks")
        case .bodyMass: return say("indice di massa corporea \(value) kg/m²", "body mass index \(value) kg/m²")
        case .bloodPressure:
            let second = number(part.second ?? 0)
            return say(
                "pressione media \(value)/\(second) mmHg in quattro settimane",
                "mean blood pressure \(value)/\(second) mmHg in four weeks")
        }
    }

    func reason(_ missing: HealthScore.Missing) -> String {
        switch missing {
        case .birthDate: say("La data di nascita non è ancora nota.", "The date of birth is not known yet.")
        case .adultsOnly:
            say(
                "Il punteggio vale per gli adulti dai \(HealthScore.ageMin) anni.",
                "The score is for adults from \(HealthScore.ageMin) years.")
        case .tooLittleData:
            say(
                "Servono almeno \(HealthScore.partsMin) fra attività, sonno, peso e altezza, pressione.",
                "It needs at least \(HealthScore.partsMin) of activity, sleep, weight and height, blood pressure.")
        }
    }

    // MARK: Too little data

    /// What the score lacks of a component.
    func lack(_ component: HealthScore.Component) -> String {
        switch component {
        case .activity:
            let (days, steps) = (HealthScore.activityDaysMin, NeededData(of: .steps).dayHours)
            let hours = HealthHistory.activityHoursMin
            return say(
                "Servono \(days) giorni dell'ultima settimana con passi in almeno \(steps) ore o attività note per almeno \(hours) ore.",
                "It needs \(days) days of the last week with steps in at least \(steps) hours or activities known for at least \(hours) hours."
            )
        case .sleep:
            return say(
                "Servono almeno \(HealthScore.sleepDaysMin) notti delle ultime due settimane.",
                "It needs at least \(HealthScore.sleepDaysMin) nights of the last two weeks.")
        case .bodyMass:
            return say(
                "Servono l'altezza e un peso degli ultimi sei mesi.",
                "It needs the height and a weight of the last six months.")
        case .bloodPressure:
            return say(
                "Servono misure in almeno \(HealthScore.pressureDaysMin) giorni delle ultime quattro settimane.",
                "It needs readings on at least \(HealthScore.pressureDaysMin) days of the last four weeks.")
        }
    }

    func tooLittle(_ lack: TooLittleData) -> String {
        let (name, needed) = (name(lack.type), lack.needed)
        var what: [String] = []
        if needed.dayHours > 0 {
            what.append(
                say(
                    "valori in almeno \(needed.dayHours) ore del giorno",
                    "values in at least \(needed.dayHours) hours of the day"))
        } else if needed.dayReadings > 1 {
            what.append(
                say("almeno \(needed.dayReadings) misure al giorno", "at least \(needed.dayReadings) readings a day"))
        }
        if needed.readings > 0 {
            what.append(say("almeno \(needed.readings) misure in tutto", "at least \(needed.readings) readings in all"))
        }
        if what.isEmpty { what.append(say("valori", "values")) }
        let list = what.joined(separator: ", ")
        let days = lack.days == 1 ? say("1 giorno", "1 day") : say("\(lack.days) giorni", "\(lack.days) days")
        let readings =
            lack.readings == 1
            ? say("1 misura", "1 reading") : say("\(lack.readings) misure", "\(lack.readings) readings")
        let there = needed.readings > 0 ? say("\(readings) in \(days)", "\(readings) on \(days)") : days
        return say(
            "\(name): dati insufficienti. Servono \(list), in almeno \(needed.days) degli ultimi 7 giorni; finora \(there).",
            "\(name): too little data. It needs \(list), on at least \(needed.days) of the last 7 days; so far \(there)."
        )
    }

    // MARK: Tips

    func tip(_ tip: HealthTip) -> String {
        switch tip {
        case .moveMore:
            say(
                "Arriva ad almeno 150 minuti a settimana di attività moderata: anche camminare di buon passo conta.",
                "Reach at least 150 minutes of moderate activity a week: brisk walking counts too.")
        case .sleepLonger:
            say(
                "Dormi di più: per un adulto sono consigliate da 7 a 9 ore.",
                "Sleep longer: 7 to 9 hours are recommended for an adult.")
        case .sleepRegularly:
            say(
                "Dormi a orari regolari: più di 9 ore per notte non servono a un adulto in salute.",
                "Sleep at regular hours: a healthy adult does not need more than 9 hours a night.")
        case .watchWeight:
            say(
                "Un indice di massa corporea sotto 25 abbassa il rischio per cuore e vasi.",
                "A body mass index below 25 lowers the risk for heart and vessels.")
        case .watchBloodPressure:
            say(
                "Meno sale, meno alcol e più movimento abbassano la pressione; misurala a riposo, alla stessa ora.",
                "Less salt, less alcohol and more movement lower blood pressure; measure it at rest, at the same hour.")
        case .measureMore:
            say(
                "Porta il dispositivo anche di notte e aggiungi peso, altezza e pressione.",
                "Wear the device at night too, and add weight, height and blood pressure.")
        }
    }

    // MARK: Advice

    func advice(_ advice: HealthAdvice) -> String {
        switch advice {
        case .bloodPressureHigh(let systolic, let diastolic):
            say(
                "La pressione media dell'ultima settimana è \(number(systolic))/\(number(diastolic)) mmHg; a casa il limite è 135/85. Parlane con il medico.",
                "The last week's mean blood pressure is \(number(systolic))/\(number(diastolic)) mmHg; the limit at home is 135/85. Talk to your physician."
            )
        case .oxygenLow(let days):
            say(
                "La saturazione media è stata sotto il 94% in \(days) giorni dell'ultima settimana. Parlane presto con il medico.",
                "Mean oxygen saturation was below 94% on \(days) days of the last week. Talk to your physician soon.")
        case .fever(let days):
            say(
                "La temperatura supera 38 °C da \(days) giorni. Senti il medico.",
                "Your temperature has been above 38 °C for \(days) days. Call your physician.")
        case .restingPulseRisen(let now, let before):
            say(
                "Il polso a riposo degli ultimi tre giorni è \(number(now)) al minuto, di solito \(number(before)). Riposa; se dura o non stai bene, senti il medico.",
                "Your resting pulse of the last three days is \(number(now)) per minute, usually \(number(before)). Rest; if it lasts or you feel unwell, see your physician."
            )
        case .restingPulseHigh(let mean):
            say(
                "Il polso a riposo è sopra 100 al minuto da giorni (media \(number(mean))). Parlane con il medico.",
                "Your resting pulse has been above 100 per minute for days (mean \(number(mean))). Talk to your physician."
            )
        case .weightLost(let percent):
            say(
                "In sei mesi il peso è calato del \(number(percent, decimals: 1))%. Se non era voluto, parlane con il medico.",
                "Your weight has fallen by \(number(percent, decimals: 1))% in six months. If that was not intended, talk to your physician."
            )
        case .glucoseHigh(let days):
            say(
                "La glicemia ha raggiunto 200 mg/dL in \(days) giorni dell'ultima settimana. Se non hai già una diagnosi di diabete, parlane presto con il medico; se l'hai, valgono i limiti concordati con lui.",
                "Your glucose reached 200 mg/dL on \(days) days of the last week. Unless diabetes is known, talk to your physician soon; if it is, the limits agreed with the physician hold."
            )
        }
    }

    func outOfRange(_ found: OutOfRange) -> String {
        let bounds = found.range.bounds
        let value = number(found.value, decimals: 1)
        func text(_ bound: Double) -> String { number(bound, decimals: bound.rounded() == bound ? 0 : 1) }
        let (low, high) = (text(bounds.lowerBound), text(bounds.upperBound))
        let name = name(found.type)
        let unit = found.type.unit
        return found.isHigh
            ? say(
                "\(name): \(value) \(unit) in media, sopra l'intervallo usuale per l'età (\(low)–\(high))",
                "\(name): \(value) \(unit) on average, above what is usual for the age (\(low)–\(high))")
            : say(
                "\(name): \(value) \(unit) in media, sotto l'intervallo usuale per l'età (\(low)–\(high))",
                "\(name): \(value) \(unit) on average, below what is usual for the age (\(low)–\(high))")
    }

    /// Of the types that reports and ranges name.
    func name(_ type: DataType) -> String {
        switch type {
        case .position: say("Posizione", "Position")
        case .heartRate: say("Polso a riposo", "Resting pulse")
        case .bloodPressureSystolic: say("Pressione sistolica", "Systolic blood pressure")
        case .bloodPressureDiastolic: say("Pressione diastolica", "Diastolic blood pressure")
        case .oxygenSaturation: say("Saturazione di ossigeno", "Oxygen saturation")
        case .respirationRate: say("Frequenza respiratoria", "Respiration rate")
        case .bodyTemperature: say("Temperatura corporea", "Body temperature")
        case .glucose: say("Glicemia", "Glucose")
        case .stressLevel: say("Livello di stress", "Stress level")
        case .steps: say("Passi", "Steps")
        case .distance: say("Distanza a piedi", "Distance on foot")
        case .activeEnergy: say("Energia attiva", "Active energy")
        case .restingEnergy: say("Energia a riposo", "Resting energy")
        case .standHours: say("Ore in piedi", "Hours standing")
        case .sleep: say("Sonno", "Sleep")
        case .weight: say("Peso", "Weight")
        case .height: say("Altezza", "Height")
        case .nutritionEnergy: say("Energia assunta", "Energy eaten")
        case .activity: say("Attività", "Activity")
        case .motion: say("Movimento", "Motion")
        case .wellBeing: say("Benessere", "Well-being")
        case .shakingFrequency: say("Frequenza del tremore", "Shaking frequency")
        case .shakingAmplitude: say("Ampiezza del tremore", "Shaking amplitude")
        }
    }
}
