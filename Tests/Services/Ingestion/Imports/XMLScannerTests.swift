import Testing

@testable import Ingestion

@Suite struct XMLScannerTests {
    private final class Recorder: XMLHandler {
        var events: [String] = []
        func began(_ element: XMLName, attributes: XMLAttributes, line: Int) -> Bool {
            var text = "+\(element.string)@\(line)"
            attributes.forEach { text += " \($0.string)=\(XMLText.string($1))" }
            events.append(text)
            return "t" ~= element
        }
        func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) {
            events.append("-\(element.string):\(String(decoding: text, as: UTF8.self))")
        }
        func neverNests(_ element: XMLName) -> Bool { "r" ~= element }
        func met(_ fault: XMLFault, line: Int) { events.append("!\(fault.rawValue)@\(line)") }
    }

    private func scan(_ pieces: [String]) -> (events: [String], error: XMLError?) {
        let recorder = Recorder()
        let scanner = XMLScanner(handler: recorder)
        do throws(XMLError) {
            for piece in pieces {
                try Array(piece.utf8).withUnsafeBufferPointer { bytes throws(XMLError) in
                    try scanner.scan(UnsafeRawBufferPointer(bytes))
                }
            }
            try scanner.finish()
            return (recorder.events, nil)
        } catch {
            return (recorder.events, error)
        }
    }

    @Test("ING-04: local names, attributes in either quotes, wanted text only, references and CDATA")
    func events() {
        let (events, error) = scan([
            "\u{FEFF} <?xml?><a xmlns='u' x:v = \"1 &gt; &#x30;\">x<p:t xmlns:p='v'>1&amp;&#50;<![CDATA[<&amp;3]]>&lt;</p:t>\n",
            "<!-- <c> --><b q='>'>y</b><t/></a>",
        ])
        #expect(error == nil)
        #expect(
            events == [
                "+a@1 xmlns=u v=1 > 0", "+t@1 p=v", "-t:1&2<&amp;3<", "+b@2 q=>", "-b:", "+t@2", "-t:", "-a:",
            ])
    }

    @Test(
        "ING-04 NFR-02: entities that a document declares (billion laughs, external ones) are neither expanded nor fetched"
    )
    func entities() {
        let laughs = "<!DOCTYPE a [<!ENTITY l 'lol'>\n<!ENTITY m '&l;&l;&l;&l;&l;&l;&l;&l;'>]><a><t>&m;</t></a>"
        #expect(scan([laughs]).events == ["+a@2", "+t@2", "-t:&m;", "-a:"])
        let external = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a><t>&x;</t></a>"
        #expect(scan([external]).events.contains("-t:&x;"))
    }

    @Test("ING-04: a document type is passed over, well-formed or not")
    func documentType() {
        let text = "<!DOCTYPE a [\n<!ELEMENT a (t*)>\n<!ATTLIST a v CDATA #IMPLIED>\n]>\n<a v='1'/>"
        #expect(scan([text]).events == ["+a@5 v=1", "-a:"])
        // As Apple Health wrote it for a while.
        let broken = "<!DOCTYPE a [\n<!ATTLIST a\n v #IMPLIED\n<!ELEMENT b[c]\n]\n>\n<a v='1'/>"
        #expect(scan([broken]).events == ["+a@7 v=1", "-a:"])
        #expect(scan(["<!DOCTYPE a SYSTEM 'http://localhost/x.dtd'><a/>"]).events == ["+a@1", "-a:"])
    }

    @Test("ING-04h: what is not well-formed is reported with its line, and what follows is read")
    func faults() {
        #expect(scan(["<a>\n</b>\n<c/></a>"]).events == ["+a@1", "!end@2", "+c@3", "-c:", "-a:"])
        #expect(scan(["<a>\n<b>\n</a>"]).events == ["+a@1", "+b@2", "!end@3", "-a:"])
        #expect(scan(["<a>\n<b v=\"1\n<c v='2'/></a>"]).events == ["+a@1", "!tag@2", "+c@3 v=2", "-c:", "-a:"])
        #expect(scan(["<a><b v=1/><c/></a>"]).events == ["+a@1", "!tag@1", "+c@1", "-c:", "-a:"])
        #expect(scan(["<a>1 < 2<c/></a>"]).events == ["+a@1", "!tag@1", "+c@1", "-c:", "-a:"])
        #expect(scan(["<a v='\u{1}' v='2'><t>&x;</t></a>"]).events == ["+a@1 v=\u{1} v=2", "+t@1", "-t:&x;", "-a:"])
        #expect(scan(["<a/>\n<b/>"]).events == ["+a@1", "-a:", "+b@2", "-b:"])
    }

    @Test("ING-04h: an element without an end costs nothing of its like that follow, however many there are")
    func missingEnds() {
        #expect(
            scan(["<a><r><t>1</t>\n<r><t>2</t></r></a>"]).events == [
                "+a@1", "+r@1", "+t@1", "-t:1", "!end@2", "-r:", "+r@2", "+t@2", "-t:2", "-r:", "-a:",
            ])
        // Nested by right.
        #expect(scan(["<a><b><b/></b></a>"]).events == ["+a@1", "+b@1", "+b@1", "-b:", "-b:", "-a:"])
        let many = scan(["<a>" + String(repeating: "<r><b>", count: 100) + "<r><t>1</t></r></a>"])
        #expect(many.events.suffix(5) == ["-t:1", "!end@1", "-r:", "!end@1", "-a:"] && many.error == nil)
    }

    @Test("ING-04: depth, attributes, text and markup are limited")
    func limits() {
        let deep = scan([String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)])
        #expect(deep.events.count { $0 == "!depth@1" } == 36 && deep.error == nil)
        let attributes = (0..<100).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(scan(["<a \(attributes)/>"]).events.first == "!attributes@1")
        let piece = String(repeating: "x", count: 1000)
        let long = scan(["<a>\n<t>\n"] + [String](repeating: piece, count: 100) + ["</t></a>"])
        #expect(long.events == ["+a@1", "+t@2", "!text@2", "-t:", "-a:"])
        #expect(scan(["<a>"] + [String](repeating: piece, count: 1000) + ["</a>"]).error == nil)
        for start in ["<!--", "<a><!--", "<a b='", "<a><?pi ", "<!DOCTYPE a [ <!--"] {
            let pieces = [start] + [String](repeating: piece, count: 1000)
            #expect(scan(pieces).error == .markupTooLong(line: 1), "\(start)")
            #expect(scan([pieces.joined()]).error == .markupTooLong(line: 1), "\(start)")
        }
    }

    @Test("ING-04: a document that is not over is said so, with the line")
    func truncated() {
        #expect(scan([""]).error == .truncated(line: 1))
        #expect(scan(["<a>\n\n<b>"]).error == .truncated(line: 3))
        #expect(scan(["<a>\n</a"]).error == .truncated(line: 2))
        #expect(scan(["not xml"]).error == .truncated(line: 1))
    }

    @Test("ING-04: pieces of any length make no difference")
    func pieces() {
        let text = "<!DOCTYPE a [ <!X] ] ><a v='1'>\n<t>1&amp;2<![CDATA[3]]></t><!-- - -- --><b v=\"</a>\n<c/></a>"
        let whole = scan([text]).events
        for length in 1...text.utf8.count {
            let bytes = Array(text.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: length).map {
                String(decoding: bytes[$0..<min($0 + length, bytes.count)], as: UTF8.self)
            }
            #expect(scan(pieces).events == whole)
        }
    }
}
