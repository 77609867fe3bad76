public import Primitives

/// What is wrong with a service's configuration, in one sentence for whoever runs it. Never holds a secret.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ sentence: String) {
        description = sentence
    }

    public init(_ failure: SmallFile.Failure) {
        self.init("\(failure).")
    }
}
