import JSON
import Testing

@Suite struct NameTests {
    struct Names: Codable, Equatable {
        var accessUntil = 1
        var accountID = 2
        var accountIDs = [3]
        var baseURL = "4"
        var httpURLPath = "5"
        var vo2Max = 6.5
        var isOpen = true
        var plain: Int? = 7
        var intervalMilliseconds = 8
        var table = ["camelCase": 9]

        enum CodingKeys: String, CodingKey {
            case accessUntil, accountID, accountIDs, baseURL, httpURLPath, vo2Max, isOpen, plain, table
            case intervalMilliseconds = "measure_every_ms"
        }
    }

    static let text = #"""
        {"access_until":1,"account_id":2,"account_ids":[3],"base_url":"4","http_url_path":"5","vo2_max":6.5,"is_open":true,\#
        "plain":7,"table":{"camelCase":9},"measure_every_ms":8}
        """#

    @Test("members are named in lower-case words with underscores, the keys of a dictionary stay as they are")
    func translated() throws {
        #expect(String(decoding: try JSONEncoder().encode(Names()), as: UTF8.self) == Self.text)
        #expect(try JSONDecoder(unknownKeys: .refuse).decode(Names.self, from: Array(Self.text.utf8)) == Names())
    }

    @Test("a member by its name in Swift is not known")
    func swiftName() throws {
        struct Access: Decodable { var accessUntil: Int? }
        let text = Array(#"{"accessUntil":1}"#.utf8)
        #expect(try JSONDecoder().decode(Access.self, from: text).accessUntil == nil)
        #expect(throws: JSONError(kind: .unknownKey, path: "$.accessUntil", message: "is not known")) {
            try JSONDecoder(unknownKeys: .refuse).decode(Access.self, from: text)
        }
    }

    struct Access: Decodable {
        struct Part: Decodable { var accessUntil: Int }
        var theParts: [Part]
    }

    @Test(
        "errors name members as the text does",
        arguments: [
            ("{}", "`$.the_parts` is missing"), (#"{"the_parts":[{}]}"#, "`$.the_parts[0].access_until` is missing"),
            (
                #"{"the_parts":[{"access_until":""}]}"#,
                "$.the_parts[0].access_until: expected an integer, found a string"
            ),
        ])
    func errors(_ text: String, _ description: String) {
        let error = #expect(throws: JSONError.self) {
            try JSONDecoder().decode(Access.self, from: Array(text.utf8))
        }
        #expect(error?.description == description)
    }

    @Test("a type that reads its object in two steps knows the members of both")
    func twoContainers() throws {
        struct Head: Decodable { var firstName: String }
        struct Whole: Decodable {
            enum CodingKeys: CodingKey { case lastName }
            var head: Head
            var lastName: String
            init(from decoder: any Decoder) throws {
                head = try Head(from: decoder)
                lastName = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .lastName)
            }
        }
        let text = Array(#"{"first_name":"a","last_name":"b"}"#.utf8)
        #expect(try JSONDecoder(unknownKeys: .refuse).decode(Whole.self, from: text).lastName == "b")
    }
}
