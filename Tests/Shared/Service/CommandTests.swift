@testable import Service
import Testing

@Suite struct CommandTests {
    private func parse(_ words: String...) throws -> Command { try Command(words, subcommands: ["count"]) }

    @Test("without a subcommand it serves")
    func serve() throws {
        #expect(try parse("--config", "a.json").action == .serve)
        #expect(try parse("serve", "--config=a.json").configurationFile == "a.json")
        #expect(try parse("--config", "a.json").configurationFile == "a.json")
    }

    @Test("subcommands, the service's own with their arguments")
    func subcommands() throws {
        #expect(try parse("migrate").action == .migrate)
        #expect(try parse("check").action == .check(connects: false))
        #expect(try parse("check", "--connect").action == .check(connects: true))
        #expect(try parse("version").action == .version)
        #expect(try parse("--help").action == .help)
        let own = try parse("count", "--config", "a.json", "all", "--fast")
        #expect(own.action == .own("count", ["all", "--fast"]))
        #expect(own.configurationFile == "a.json")
    }

    @Test("what is not known is refused with a sentence")
    func mistakes() {
        func sentence(_ words: String...) -> String? {
            do throws(Command.Mistake) { _ = try Command(words, subcommands: ["count"]) } catch {
                return error.sentence
            }
            return nil
        }
        #expect(sentence("dance") == "There is no subcommand dance.")
        #expect(sentence("serve", "--fast") == "There is no option --fast.")
        #expect(sentence("--config") == "--config needs a file.")
        #expect(sentence("migrate", "now") == "migrate takes no arguments: now.")
        #expect(sentence("serve", "--connect") == "There is no option --connect.")
    }

    @Test("help names every subcommand and exit code")
    func help() {
        let text = Command.help(EchoService.self)
        #expect(text.hasPrefix("Usage: trackme-accounts [SUBCOMMAND] --config FILE\n"))
        for word in ["serve", "migrate", "check [--connect]", "version", "help", "count", "counts the notes"] {
            #expect(text.contains("  \(word)"), "\(word)")
        }
        for code in ExitCode.allCases { #expect(text.contains("  \(code.rawValue) "), "\(code)") }
    }
}
