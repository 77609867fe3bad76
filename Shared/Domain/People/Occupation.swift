/// What an individual does for a living (ACC-02); a search parameter of group requests (GRP-01).
public enum Occupation: String, Sendable, Codable, CaseIterable {
    case student
    case employed
    case unemployed
    case retired
    case other
}
