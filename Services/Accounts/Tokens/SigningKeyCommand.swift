import Postgres
import Service

/// `trackme-accounts signing-keys …`: lists and withdraws keys of access tokens.
enum SigningKeyCommand {
    static let name = "signing-keys"
    static let summary =
        "list | withdraw ID: the keys of access tokens; services refuse the tokens of a withdrawn one"

    static func run(_ arguments: [String], _ database: Database) async throws {
        switch (arguments.first, arguments.count) {
        case ("list", 1):
            for key in try await SigningKeys.list(database) {
                let end = key.isWithdrawn ? ", withdrawn" : ""
                Console.say("\(key.id): published \(key.publishedAt), among files last \(key.seenAt)\(end)")
            }
        case ("withdraw", 2):
            guard try await SigningKeys.withdraw(arguments[1], database) else {
                throw CommandMistake(description: "There is no signing key \(arguments[1]).")
            }
            Console.say("Withdrawn: its tokens are refused everywhere within a minute.")
        default: throw CommandMistake(description: "Say signing-keys list, or signing-keys withdraw ID.")
        }
    }
}
