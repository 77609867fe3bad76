import JSON
import Testing

@Suite struct ScannerColumnTests {
    private func scanned(_ text: String) throws -> (JSONScanner, JSONScanner.Value) {
        let scanner = try JSONScanner(Array(text.utf8))
        return (scanner, scanner.root)
    }

    @Test("columns of integers are read whole or not at all")
    func integers() throws {
        for (text, expected) in [
            ("[]", []), ("[0,-1, 9223372036854775807]", [0, -1, .max]), ("[1,1.0]", nil), ("[1e2]", nil),
            ("[9223372036854775808]", nil), ("[null]", nil), ("[\"1\"]", nil), ("[[1]]", nil), ("{}", nil), ("7", nil),
        ] as [(String, [Int64]?)] {
            let (scanner, root) = try scanned(text)
            #expect(scanner.integers(root) == expected)
        }
    }

    @Test("columns of numbers have what stands for null, where it is taken")
    func numbers() throws {
        let (scanner, root) = try scanned("[1,-0.5,null,1e-3]")
        #expect(scanner.numbers(root) == nil)
        #expect(scanner.numbers(root, null: 99) == [1, -0.5, 99, 0.001])
        for text in ["[true]", "[[]]", "[\"1\"]", "null"] {
            let (scanner, root) = try scanned(text)
            #expect(scanner.numbers(root, null: 99) == nil)
        }
    }

    @Test("columns of flags, texts and integers are of their kind")
    func others() throws {
        let (scanner, _) = try scanned(#"[[true,false],[true,null],"a\u0062",12,null,1.5]"#)
        let values = scanner.elements()
        #expect(scanner.flags(values[0]) == [true, false] && scanner.flags(values[1]) == nil)
        #expect(scanner.text(values[2]) == "ab" && scanner.text(values[3]) == nil && scanner.hasEscapes)
        #expect(scanner.integer(values[3]) == 12 && scanner.integer(values[5]) == nil)
        #expect(scanner.isNull(values[4]) && !scanner.isNull(values[3]))
        #expect(scanner.isArray(values[0]) && !scanner.isArray(values[2]))
        #expect(try !JSONScanner(Array(#"["ab"]"#.utf8)).hasEscapes)
    }

    @Test("members are found by their names in any order, and the others counted")
    func members() throws {
        let names: [StaticString] = ["first", "second", "third"]
        let (scanner, root) = try scanned(#"{"third":3,"x":{"first":9},"first":1,"firs":0,"":0}"#)
        let (found, others) = try #require(scanner.members(of: root, named: names))
        #expect(found.map { $0.flatMap(scanner.integer) } == [1, nil, 3] && others == 3)
        let (empty, nothing) = try scanned("{}")
        #expect(empty.members(of: nothing, named: names)?.others == 0)
        let (list, value) = try scanned("[]")
        #expect(list.members(of: value, named: names) == nil)
    }
}
