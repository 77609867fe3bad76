/// The limits of a JSON text.
public struct JSONLimits: Sendable {
    /// Objects and arrays within one another; never more than 128, so that decoding fits a loop thread's stack.
    public let depthMax: Int
    /// The whole text; never more than 128 MiB.
    public let bytesMax: Int
    /// Values of every kind, containers included, member names not.
    public let valuesMax: Int
    /// One string or member name as it is written in the text.
    public let stringBytesMax: Int

    public init(
        depthMax: Int = 32, bytesMax: Int = 16 << 20, valuesMax: Int = 1_000_000, stringBytesMax: Int = 1 << 20
    ) {
        self.depthMax = min(depthMax, Self.depthCeiling)
        self.bytesMax = min(bytesMax, Token.payloadMax)
        self.valuesMax = valuesMax
        self.stringBytesMax = stringBytesMax
    }

    static let depthCeiling = 128
}
