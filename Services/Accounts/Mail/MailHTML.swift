import Domain

/// The text of a mail as HTML: paragraphs, lines as they are, and a link of TrackMe's own as a button. Nothing is loaded from
/// anywhere, and whatever the text holds stays text.
enum MailHTML {
    /// `link` begins the links that become buttons; a paragraph that is one and nothing else does.
    static func document(title: String, _ text: String, links link: String, _ language: Language) -> String {
        let paragraphs = text.split(separator: "\n\n").map { paragraph -> String in
            let isLink = paragraph.hasPrefix(link) && !paragraph.contains { $0.isWhitespace }
            return isLink ? button(String(paragraph), language) : "<p style=\"\(lines)\">\(escaped(paragraph))</p>"
        }
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
            <meta name="color-scheme" content="light dark"><title>\(escaped(title[...]))</title></head>
            <body style="margin:0 auto;max-width:36em;padding:1em;font:1em/1.5 system-ui,sans-serif">
            <h1 style="font-size:1.25em">\(escaped(title[...]))</h1>
            \(paragraphs.joined(separator: "\n"))
            </body></html>
            """
    }

    /// Figures of the weekly report stand in lines of their own.
    private static let lines = "white-space:pre-line"

    private static func button(_ link: String, _ language: Language) -> String {
        let words = language == .italian ? "Apri il collegamento" : "Open the link"
        let style = "display:inline-block;padding:.6em 1.2em;border:2px solid;border-radius:.4em;font-weight:bold"
        let link = escaped(link[...])
        // The address is shown, too: people should see where a link of a mail leads.
        return """
            <p><a href="\(link)" style="\(style)">\(words)</a></p>
            <p style="font-size:.85em;overflow-wrap:anywhere">\(link)</p>
            """
    }

    private static func escaped(_ text: Substring) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
