/// Why a process of a test could not do its part, in words.
public struct ProcessFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
