import Domain
import JSON
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct SpeechTests {
    private func speech(_ incident: ConformanceIncident) throws -> [String: String] {
        let message = try JSONDecoder().decode(JSONValue.self, from: try incident.body())
        return Dictionary(
            (message["speech"]?.items ?? []).compactMap { item in
                item["language"]?.text.flatMap { language in item["text"]?.text.map { (language, $0) } }
            }, uniquingKeysWith: { first, _ in first })
    }

    private func incident(
        _ content: ConformanceIncident.Content = .usual, isExercise: Bool = false
    ) -> ConformanceIncident {
        var settings = ConformanceSettings(url: nil, secrets: [.random()])
        settings.isActual = !isExercise
        return ConformanceIncident(settings, baseURL: "https://trackme.example.org", content, isExercise: isExercise)
    }

    @Test(
        "SOS-06d: the words to speak say what it is, what was measured, where, and how to call back, in two languages")
    func alert() throws {
        let words = try speech(incident())
        let italian = try #require(words["it"])
        #expect(italian.hasPrefix("Emergenza sanitaria. Chiamata automatica di TrackMe. Persona di "))
        #expect(italian.contains("Frequenza cardiaca 38 al minuto."))
        #expect(italian.contains("latitudine 45,4642, longitudine 9,19."))
        #expect(italian.contains("Precisione 4 metri."))
        #expect(italian.contains("Telefono della persona: più 3 9 0 2 0 0 0 0 0 0 0 0."))
        let english = try #require(words["en"])
        #expect(english.contains("Heart rate 38 per minute.") && english.contains("latitude 45.4642, longitude 9.19"))
    }

    @Test("SOS-10 SOS-12b: without a position it is said, with where to look; a test call says that nobody is ill")
    func missing() throws {
        let without = try #require(try speech(incident(isExercise: true))["it"])
        #expect(without.hasPrefix("Esercitazione: prova di TrackMe. Nessuno sta male e nessuno deve partire."))
        #expect(without.contains("La posizione non è nota. A casa: PROVA, scala B."))
        let sparse = try #require(try speech(incident(.sparse))["en"])
        #expect(sparse.contains("The position is not known.") && !sparse.contains("At home"))
    }

    @Test(
        "SOS-06d SOS-08c: a cancellation says that nobody needs to come, and why; all is short enough to be listened to"
    )
    func ends() throws {
        var incident = incident(.large)
        let words = try speech(incident)
        #expect(words.count == 2 && words.values.allSatisfy { $0.count <= IncidentMessage.Speech.charactersMax })
        #expect(try incident.body().count < IncidentMessage.bytesMax)
        incident.received()
        incident.calledOff()
        let cancelled = try #require(try speech(incident)["it"])
        #expect(cancelled.contains("Non occorre più intervenire: la persona dice di stare bene."))
        #expect(!cancelled.contains("latitudine"))
    }

    @Test(
        "SOS-12b: every message with the mode of an exercise begins with that word, in two languages, and no other does"
    )
    func exercises() throws {
        func ends(_ isExercise: Bool) throws -> [[String: String]] {
            var called = incident(isExercise: isExercise)
            var words = [try speech(called)]
            called.calledOff()
            words.append(try speech(called))
            var moved = incident()
            moved.received()
            moved.moved()
            if !isExercise { words.append(try speech(moved)) }
            var settings = ConformanceSettings(url: nil, secrets: [.random()])
            settings.isActual = !isExercise
            var over = ConformanceIncident(settings, baseURL: "https://trackme.example.org")
            over.received()
            over.accepted()
            over.resolved()
            words.append(try speech(over))
            return words
        }
        for words in try ends(true) {
            #expect(words["it"]?.hasPrefix("Esercitazione: ") == true, "\(words)")
            #expect(words["en"]?.hasPrefix("Exercise: ") == true, "\(words)")
            #expect(words["en"]?.contains("Nobody is ill, and nobody is to go.") == true)
        }
        for words in try ends(false) {
            #expect(
                words.count == 2 && words.values.allSatisfy { !$0.contains("xercise") && !$0.contains("sercitazione") })
        }
    }

    @Test("SOS-06a: direction and speed come of fixes that differ by more than they may be off by, and of no others")
    func movement() throws {
        func fix(_ second: Double, _ metres: Double, accuracy: Double? = 5) -> StoredFix {
            let place = Coordinate(latitude: 45, longitude: 9)!.moved(metres: metres, bearing: 90)
            return StoredFix(PositionFix(time: time(second), coordinate: place, accuracy: accuracy))
        }
        let walking = try #require(IncidentMessage.Movement([fix(20, 28), fix(0, 0)]))
        #expect(walking.direction == 90 && walking.speed == 1.4)
        #expect(IncidentMessage.Movement([fix(20, 9), fix(0, 0)]) == nil)
        #expect(IncidentMessage.Movement([fix(20, 18, accuracy: nil), fix(0, 0)]) == nil)
        #expect(IncidentMessage.Movement([fix(90, 90), fix(0, 0)]) == nil)
        #expect(IncidentMessage.Movement([fix(1, 4000), fix(0, 0)]) == nil)
        #expect(IncidentMessage.Movement([fix(0, 100), fix(0, 0)]) == nil)
        #expect(IncidentMessage.Movement([fix(0, 0)]) == nil)
    }
}
