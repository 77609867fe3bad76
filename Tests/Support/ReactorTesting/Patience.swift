extension Duration {
    /// How long a test waits for what must come. No measure: only a test that would hang fails by it, and one that is alone on
    /// a busy machine does not.
    public static let patience: Duration = .seconds(120)
}
