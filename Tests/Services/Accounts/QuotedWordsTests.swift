import ServiceTesting
import Testing

@testable import Accounts

@Suite struct QuotedWordsTests {
    @Test(
        "REQ-04: foreign words stay on one line, inside their quotation marks, and make no links",
        arguments: [
            ("Studio è serio", "Studio è serio"), ("Salus S.r.l.", "Salus S.r.l."), ("S.p.A. & C.", "S.p.A. & C."),
            ("at 10:30, 3.5 km: ok. Fine", "at 10:30, 3.5 km: ok. Fine"), ("a\r\n\n\tb ", "a b"), ("a\u{2028}b", "a b"),
            ("say “x” »y« \"z\"", "say 'x' 'y' 'z'"), ("http://evil.example/x", "http[:]//evil[.]example/x"),
            ("HTTPS://1.2.3.4/", "HTTPS[:]//1.2.3.4/"), ("evil.example", "evil[.]example"), ("a@b.it", "a[at]b[.]it"),
            ("mailto:a@b.it", "mailto[:]a[at]b[.]it"), ("evil．example", "evil[.]example"), ("è.рф", "è[.]рф"),
            ("e.xn--p1ai", "e[.]xn--p1ai"), ("a\u{202E}b\0c", "abc"), ("", ""), (":", ":"), (".", "."),
        ])
    func quoted(words: String, text: String) {
        #expect(QuotedWords.text(words) == text)
    }
}
