/// The version of the suite, the same for all five programs.
public enum ServiceVersion {
    public static let current = "1.0.0"
}
