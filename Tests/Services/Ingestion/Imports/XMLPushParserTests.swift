import Testing

@testable import Ingestion

@Suite struct XMLPushParserTests {
    private final class Recorder: XMLHandler {
        var events: [String] = []
        func began(_ element: XMLName, attributes: XMLAttributes, line: Int) -> Bool {
            events.append("+\(element.string)@\(line)")
            return "t" ~= element
        }
        func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) {
            events.append("-\(element.string):\(String(decoding: text, as: UTF8.self))")
        }
    }

    private func parse(_ pieces: [String]) -> (events: [String], error: XMLError?) {
        let recorder = Recorder()
        let parser = XMLPushParser(handler: recorder)
        do throws(XMLError) {
            for piece in pieces {
                try Array(piece.utf8).withUnsafeBufferPointer { bytes throws(XMLError) in
                    try parser.parse(UnsafeRawBufferPointer(bytes))
                }
            }
            try parser.finish()
            return (recorder.events, nil)
        } catch {
            return (recorder.events, error)
        }
    }

    @Test("ING-04: local names, wanted text only, character references and CDATA")
    func events() {
        let (events, error) = parse([
            "<a xmlns='u'>x<p:t xmlns:p='v'>1&amp;&#50;<![CDATA[<3]]></p:t>\n", "<b>y</b></a>",
        ])
        #expect(error == nil)
        #expect(events == ["+a@1", "+t@1", "-t:1&2<3", "+b@2", "-b:", "-a:"])
    }

    @Test("ING-04 NFR-02: documents that declare entities (billion laughs, external ones) are refused")
    func entities() {
        let laughs = "<!DOCTYPE a [<!ENTITY l 'lol'>\n<!ENTITY m '&l;&l;&l;&l;&l;&l;&l;&l;'>]><a><t>&m;</t></a>"
        #expect(parse([laughs]).error == .entityDeclared(line: 1))
        #expect(parse([laughs]).events.isEmpty)
        let external = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a><t>&x;</t></a>"
        #expect(parse([external]).error == .entityDeclared(line: 1))
        let parameter = "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://localhost/'> %x;]><a/>"
        #expect(parse([parameter]).error == .entityDeclared(line: 1))
        #expect(parse(["<!DOCTYPE a SYSTEM 'http://localhost/x.dtd'><a><t>&x;</t></a>"]).events.contains("-t:"))
        #expect(parse(["<a>&x;</a>"]).error == .malformed(line: 1, reason: "undefined entity"))
    }

    @Test("ING-04: a document type without entities is passed over")
    func documentType() {
        let text = "<!DOCTYPE a [\n<!ELEMENT a (t*)>\n<!ATTLIST a v CDATA #IMPLIED>\n]>\n<a v='1'/>"
        #expect(parse([text]).events == ["+a@5", "-a:"])
    }

    @Test("ING-04: depth, attributes, text and markup are limited")
    func limits() {
        let deep = String(repeating: "<a>", count: 100)
        #expect(parse([deep]).error == .tooDeep(line: 1))
        let attributes = (0..<100).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(parse(["<a \(attributes)/>"]).error == .tooManyAttributes(line: 1))
        let piece = String(repeating: "x", count: 1000)
        #expect(parse(["<t>"] + [String](repeating: piece, count: 100)).error == .textTooLong(line: 1))
        #expect(parse(["<a>"] + [String](repeating: piece, count: 1000) + ["</a>"]).error == nil)
        for start in ["<!--", "<a><!--", "<a b='", "<a><?pi ", "<!DOCTYPE a [ <!--"] {
            #expect(
                parse([start] + [String](repeating: piece, count: 1000)).error == .markupTooLong(line: 1), "\(start)")
        }
    }

    @Test("ING-04: what is not well-formed, or not over, is said with its line")
    func errors() {
        #expect(parse([""]).error == .truncated(line: 1))
        #expect(parse(["<a>\n\n<b>"]).error == .truncated(line: 3))
        #expect(parse(["\n<a>\n</b>"]).error == .malformed(line: 3, reason: "mismatched tag"))
        #expect(parse(["<a/>\n<b/>"]).error?.line == 2)
        #expect(parse(["<a>\u{1}</a>"]).error?.line == 1)
        #expect(parse(["not xml"]).error?.line == 1)
    }
}
