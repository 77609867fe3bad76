import Domain
import Service
import Testing

@testable import Accounts

@Suite struct SupportContactTests {
    @Test("ACC-18b: Support is reached by an address or a page; anything else is refused with what to write instead")
    func settings() throws {
        let mail = try SupportContact(setting: "help@trackme.example")
        #expect(mail.link == "mailto:help@trackme.example" && mail.text == "help@trackme.example")
        let page = try SupportContact(setting: "https://trackme.example/support")
        #expect(page.link == "https://trackme.example/support" && page.text == "trackme.example/support")
        for setting in ["", "help", "http://trackme.example", "javascript:alert(1)", "https://a b"] {
            #expect(throws: ConfigurationError.self) { try SupportContact(setting: setting) }
        }
    }
}
