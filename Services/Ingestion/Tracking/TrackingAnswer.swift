import Domain
import Primitives

/// `GET /me/tracking`: which part of the time is covered, and what is missing (ING-12), in the language that the
/// request asks for, else the person's.
struct TrackingAnswer: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        let date: CalendarDate
        let covered: Double
    }

    struct Gap: Encodable, Sendable {
        let from: Timestamp
        let to: Timestamp
        let hours: Int
        let reason: TrackingGaps.Reason
        let text: String
    }

    struct OfType: Encodable, Sendable {
        let type: DataType
        let covered: Double
        let days: [Day]
        let gaps: [Gap]
    }

    let from: CalendarDate
    let to: CalendarDate
    let language: Language
    let types: [OfType]

    init(_ found: [TrackingGaps.OfType], _ days: ClosedRange<CalendarDate>, in language: Language) {
        let texts = HealthTexts(language: language)
        from = days.lowerBound
        to = days.upperBound
        self.language = language
        types = found.map { one in
            OfType(
                type: one.type, covered: Self.rounded(one.covered),
                days: one.days.map { Day(date: $0.day, covered: Self.rounded($0.covered)) },
                gaps: one.gaps.map {
                    Gap(from: $0.from, to: $0.to, hours: $0.hours, reason: $0.reason, text: texts.gap($0.reason))
                })
        }
    }

    private static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }
}

extension HealthTexts {
    func gap(_ reason: TrackingGaps.Reason) -> String {
        switch (reason, language) {
        case (.paused, .italian): "La raccolta era in pausa."
        case (.paused, _): "Collection was paused."
        case (.deviceRemoved, .italian): "Il dispositivo che lo misurava è stato rimosso."
        case (.deviceRemoved, _): "The device that measured it was removed."
        case (.notCollected, .italian): "Il dispositivo non può più fornire questo dato."
        case (.notCollected, _): "The device may not provide it any more."
        case (.deviceSilent, .italian): "Nessun dispositivo ha inviato dati."
        case (.deviceSilent, _): "No device sent any data."
        case (.notMeasured, .italian):
            "Il dispositivo ha inviato altri dati: non era indossato, o il sensore non leggeva."
        case (.notMeasured, _): "The device sent other data: it was not worn, or its sensor read nothing."
        }
    }
}
