import Domain
import JSON
import Testing

@testable import Web

@Suite struct TemplateTests {
    private func rendered(
        _ text: String, _ values: JSONObject, words: String = "{}", language: Language = .english
    ) throws -> String {
        var catalogue = Words()
        try catalogue.add(Array(words.utf8))
        var renderer = TemplateRenderer(
            ["page": try Template(text), "part": try Template("<i>{{name}}</i>")], catalogue,
            ReadableFormat(language: language, zone: .utc), values)
        return String(decoding: try renderer.render("page"), as: UTF8.self)
    }

    @Test("NFR-08a: whatever people have typed stays text, in content and in attributes")
    func escaping() throws {
        let hostile = "<script>alert('1')</script>\"&\u{202E}"
        #expect(
            try rendered("<p title=\"{{name}}\">{{name}}</p>", ["name": .string(hostile)])
                == "<p title=\"&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;\u{202E}\">"
                + "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;\u{202E}</p>")
        // A value that looks like a tag is not one, nor is a word's place filled twice.
        #expect(
            try rendered(
                "{{t.hello}}", ["name": "{{secret}}{secret}", "secret": "x"], words: #"{"hello": "Hi {name}"}"#)
                == "Hi {{secret}}{secret}")
    }

    @Test("NFR-08a: sections go over lists, show what is there and what is not, and names are looked for outwards")
    func sections() throws {
        let values: JSONObject = [
            "runs": .array([.object(["name": "A"]), .object(["name": "B", "best": true])]), "place": "Milano",
            "empty": .array([]), "zero": .integer(0), "one": .object(["name": "C"]),
        ]
        #expect(
            try rendered("{{#runs}}{{name}} in {{place}}{{#best}}!{{/best}};{{/runs}}", values)
                == "A in Milano;B in Milano!;")
        #expect(
            try rendered("{{^empty}}none{{/empty}}{{#empty}}some{{/empty}}{{#zero}}{{.}}{{/zero}}", values) == "none0")
        #expect(
            try rendered("{{#one}}{{>part}}{{/one}}{{#runs}}{{>part}}{{/runs}}", values) == "<i>C</i><i>A</i><i>B</i>")
        #expect(try rendered("{{one.name}}{{one.absent}}{{absent.name}}", values) == "C")
    }

    @Test(
        "Mistakes in templates are told: open tags and sections, words, parts and ways of writing that do not exist",
        arguments: [
            "{{name", "{{#a}}", "{{/a}}", "{{#a}}{{/b}}", "{{}}", "{{t.absent}}", "{{>absent}}", "{{name|upside-down}}",
            "{{name|whole}}", "{{list}}", "{{name|t.states}}",
        ])
    func mistakes(_ text: String) {
        #expect(throws: TemplateError.self) { try rendered(text, ["name": "x", "list": .array([.null])]) }
    }

    @Test("Recursion of templates ends with an error, not with the process")
    func recursion() throws {
        var renderer = TemplateRenderer(
            ["page": try Template("{{#a}}{{>page}}{{/a}}")], Words(), ReadableFormat(language: .italian, zone: .utc),
            ["a": true])
        #expect(throws: TemplateError.self) { try renderer.render("page") }
    }

    @Test("NFR-08b: numbers, dates and durations are written in the reader's way", arguments: Language.allCases)
    func formats(_ language: Language) throws {
        func written(_ value: JSONValue, _ filter: String) throws -> String {
            try rendered("{{value|\(filter)}}", ["value": value], language: language)
        }
        let isItalian = language == .italian
        #expect(
            try written("2026-11-25T23:30:00Z", "datetime")
                == (isItalian ? "25 novembre 2026, 23:30" : "25 November 2026, 23:30"))
        #expect(try written("2026-03-01", "date") == (isItalian ? "1 marzo 2026" : "1 March 2026"))
        #expect(try written(.number(10_549.9), "km") == (isItalian ? "10,5" : "10.5"))
        #expect(try written(.integer(1_234_567), "whole") == (isItalian ? "1.234.567" : "1,234,567"))
        #expect(try written(.integer(1234), "whole") == (isItalian ? "1234" : "1,234"))
        #expect(try written(.number(-0.4), "whole") == "0")
        #expect(try written(.number(-1234.5678), "plain") == "-1234.5678")
        #expect(try written(.number(3723.4), "duration") == "1:02:03")
        #expect(try written(.number(245), "pace") == "4:05")
        #expect(try written(.null, "duration").isEmpty)
        #expect(try written(.number(1e300), "whole") == "–")
    }

    @Test("NFR-08b: times are written in the zone of the deployment, over the change of the clock")
    func zones() throws {
        let rome = try TimeZones().rules(of: try TimeZoneName(validating: "Europe/Rome"))
        let format = ReadableFormat(language: .english, zone: rome)
        #expect(try format.readable("2026-07-01T22:30:00Z", "datetime") == "2 July 2026, 00:30")
        #expect(try format.readable("2026-12-01T22:30:00Z", "datetime") == "1 December 2026, 23:30")
    }

    @Test("NFR-08b: a word may hold values, written in a way, and values that stand for words")
    func words() throws {
        let words = #"{"a": {"b": "{name}: {length|km} km"}, "state": {"under-way": "On <now>"}}"#
        #expect(
            try rendered(
                "{{t.a.b}} {{state|t.state}}", ["name": "R&D", "length": .integer(1500), "state": "under-way"],
                words: words)
                == "R&amp;D: 1.5 km On &lt;now&gt;")
    }
}
