import Domain
import Primitives

extension IncidentMessage {
    /// What a voice call says to an ambulance service (SOS-06d): short sentences, the most important first, numbers that can be
    /// written down while they are heard. Made of the message alone; what is missing is left out.
    struct Speech: Sendable, Encodable {
        /// In each language.
        static let charactersMax = 900

        var language: Language
        var text: String

        init(_ message: IncidentMessage, in language: Language) {
            self.language = language
            let words = SpeechWords(language)
            var sentences = [words.opening(message.incident)]
            if message.incident.isExercise { sentences.append(words.exercise) }
            switch message.incident.message {
            case .cancel, .resolved:
                sentences += [words.ending(message.incident), words.person(message.person)]
            case .alert, .update, .exercise:
                sentences += [words.person(message.person)] + words.measured(message.incident, message.vitals)
                sentences += words.place(message.position, message.home, sent: message.incident.sent)
                sentences.append(words.callBack(message.person.callbackPhone))
                sentences += words.conditions(message.person.conditions)
            }
            text = Self.bounded(sentences)
        }

        /// Whole sentences, as many as there is room for.
        private static func bounded(_ sentences: [String]) -> String {
            var text = ""
            for sentence in sentences where text.count + sentence.count + 1 <= charactersMax {
                text += text.isEmpty ? sentence : " " + sentence
            }
            return text
        }
    }
}
