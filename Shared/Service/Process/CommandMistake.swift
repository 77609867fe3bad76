/// What keeps a subcommand from doing its work, or what it has found wrong: a sentence for whoever called it.
public struct CommandMistake: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// What is wrong with the arguments of a tool: a sentence for whoever called it.
public struct UsageMistake: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}
