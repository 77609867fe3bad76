import Domain

/// Provincial capitals that simulated people live and were born in, weighted by their population in thousands.
enum Places {
    /// Milan, where the simulated runs are.
    static let milan = list([(1370, "F205")])

    /// All twelve of Lombardy.
    static let lombardy = list([
        (1370, "F205"), (120, "A794"), (197, "B157"), (84, "C933"), (71, "D150"), (47, "E507"), (45, "E648"),
        (49, "E897"), (123, "F704"), (71, "G388"), (21, "I829"), (79, "L682"),
    ])

    static let elsewhere = list([
        (2750, "H501"), (848, "L219"), (910, "F839"), (630, "G273"), (560, "D969"), (390, "A944"), (360, "D612"),
        (316, "A662"), (300, "C351"), (250, "L736"), (255, "L781"), (209, "G224"), (200, "L424"), (147, "B354"),
        (165, "G478"), (98, "A271"),
    ])

    /// Foreign states of birth, by how many people living in Italy were born there.
    static let abroad = list([
        (1080, "Z129"), (460, "Z100"), (440, "Z330"), (290, "Z210"), (230, "Z138"), (160, "Z222"), (120, "Z102"),
    ])

    private static func list(_ entries: [(Int, String)]) -> [(weight: Int, value: BelfioreCode)] {
        entries.compactMap { weight, code in BelfioreCode(code).map { (weight, $0) } }
    }
}
