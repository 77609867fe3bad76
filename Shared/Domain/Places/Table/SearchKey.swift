/// A name of a place as a search compares it: `Sant'Agata di Mugéllo` is the words `sant agata di mugello`.
struct SearchKey: Sendable, Equatable {
    /// How well a name fits what was typed, the best first.
    enum Fit: Int, Comparable, CaseIterable {
        case whole, beginning, words

        static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
    }

    /// Longer texts are no names.
    private static let bytesMax = 100
    private static let space = UInt8(ascii: " ")

    /// Letters without case and accents, words with a space between them.
    private let text: [UInt8]
    private let words: [Range<Int>]

    init(_ name: String) {
        var text: [UInt8] = []
        for scalar in name.unicodeScalars {
            if text.count >= Self.bytesMax { break }
            switch Self.plain(scalar) {
            case .letters(let letters): text += letters
            case .accent: break
            case .between: if let last = text.last, last != Self.space { text.append(Self.space) }
            }
        }
        if text.last == Self.space { text.removeLast() }
        self.text = text
        words = text.split(separator: Self.space).map { $0.startIndex..<$0.endIndex }
    }

    var isEmpty: Bool { text.isEmpty }

    /// How this name fits `wanted`; `nil` when a word of that begins none of it, or not in this order.
    func fit(_ wanted: SearchKey) -> Fit? {
        if text == wanted.text { return .whole }
        if text.starts(with: wanted.text) { return .beginning }
        var rest = words[...]
        for word in wanted.words {
            guard let next = rest.firstIndex(where: { text[$0].starts(with: wanted.text[word]) }) else { return nil }
            rest = rest[(next + 1)...]
        }
        return .words
    }

    private enum Part {
        case letters([UInt8])
        /// One that stands by itself behind its letter.
        case accent
        case between
    }

    private static func plain(_ scalar: Unicode.Scalar) -> Part {
        switch scalar {
        case "a"..."z", "0"..."9": .letters([UInt8(ascii: scalar)])
        case "A"..."Z": .letters([UInt8(ascii: scalar) + 32])
        case "à"..."å", "À"..."Å", "ā", "Ā", "ă", "Ă", "ą", "Ą": .letters([UInt8(ascii: "a")])
        case "æ", "Æ": .letters(Array("ae".utf8))
        case "ç", "Ç", "ć", "Ć", "č", "Č": .letters([UInt8(ascii: "c")])
        case "đ", "Đ", "ð", "Ð": .letters([UInt8(ascii: "d")])
        case "è"..."ë", "È"..."Ë", "ē", "Ē", "ę", "Ę", "ě", "Ě": .letters([UInt8(ascii: "e")])
        case "ì"..."ï", "Ì"..."Ï", "ī", "Ī": .letters([UInt8(ascii: "i")])
        case "ł", "Ł": .letters([UInt8(ascii: "l")])
        case "ñ", "Ñ", "ń", "Ń": .letters([UInt8(ascii: "n")])
        case "ò"..."ö", "Ò"..."Ö", "ø", "Ø", "ō", "Ō", "ő", "Ő": .letters([UInt8(ascii: "o")])
        case "ř", "Ř": .letters([UInt8(ascii: "r")])
        case "š", "Š", "ś", "Ś", "ş", "Ş": .letters([UInt8(ascii: "s")])
        case "ß": .letters(Array("ss".utf8))
        case "ù"..."ü", "Ù"..."Ü", "ū", "Ū", "ű", "Ű": .letters([UInt8(ascii: "u")])
        case "ý", "ÿ", "Ý": .letters([UInt8(ascii: "y")])
        case "ž", "Ž", "ź", "Ź", "ż", "Ż": .letters([UInt8(ascii: "z")])
        case "\u{300}"..."\u{36F}": .accent
        default: .between
        }
    }
}
