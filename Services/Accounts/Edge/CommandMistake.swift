/// What keeps a subcommand from doing its work, as a sentence for whoever called it.
struct CommandMistake: Error, CustomStringConvertible {
    let description: String
}
