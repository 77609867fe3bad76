import SuiteClient

extension RaceCourse {
    /// In and around Milan. More of them than runs that are not over: two along one way on a day are refused.
    static func milan() throws(SuiteError) -> [RaceCourse] {
        [try sempione(), try stella(), try naviglio(), try nord(), try lambro(), try cave()]
    }

    private static func sempione() throws(SuiteError) -> RaceCourse {
        try RaceCourse(
            "Giro del Parco Sempione", in: "Milano, Parco Sempione",
            checkpoints: ["Acquario Civico", "Castello Sforzesco", "Laghetto"],
            through: [
                (45.4752, 9.1732), (45.4760, 9.1752), (45.4763, 9.1772), (45.4753, 9.1790), (45.4744, 9.1806),
                (45.4730, 9.1806), (45.4719, 9.1795), (45.4713, 9.1778), (45.4711, 9.1760), (45.4717, 9.1746),
                (45.4726, 9.1742), (45.4730, 9.1757), (45.4725, 9.1774), (45.4734, 9.1788), (45.4746, 9.1780),
                (45.4745, 9.1760), (45.4736, 9.1747), (45.4735, 9.1732), (45.4744, 9.1724), (45.4751, 9.1729),
            ])
    }

    /// Around the hill and up.
    private static func stella() throws(SuiteError) -> RaceCourse {
        try RaceCourse(
            "Scalata del Monte Stella", in: "Milano, QT8",
            checkpoints: ["Via Cimabue", "Versante sud", "Giardino dei Giusti"],
            through: [
                (45.4937, 9.1358), (45.4927, 9.1389), (45.4906, 9.1400), (45.4886, 9.1388), (45.4878, 9.1361),
                (45.4886, 9.1335), (45.4903, 9.1324), (45.4919, 9.1333), (45.4926, 9.1354), (45.4921, 9.1374),
                (45.4908, 9.1383), (45.4896, 9.1377), (45.4890, 9.1362), (45.4894, 9.1348), (45.4902, 9.1341),
                (45.4910, 9.1345), (45.4914, 9.1354), (45.4912, 9.1363), (45.4907, 9.1367),
            ])
    }

    private static func naviglio() throws(SuiteError) -> RaceCourse {
        try RaceCourse(
            "Corsa del Naviglio Grande", in: "Milano, Darsena",
            checkpoints: ["Via Valenza", "Ponte delle Milizie", "San Cristoforo"],
            through: [
                (45.4521, 9.1765), (45.4513, 9.1740), (45.4502, 9.1705), (45.4491, 9.1668), (45.4477, 9.1622),
                (45.4463, 9.1575), (45.4450, 9.1532), (45.4440, 9.1500), (45.4425, 9.1455), (45.4412, 9.1415),
            ])
    }

    private static func nord() throws(SuiteError) -> RaceCourse {
        try RaceCourse(
            "Anello del Parco Nord", in: "Milano, Parco Nord",
            checkpoints: ["Cascina", "Bosco", "Teatrino"],
            through: [
                (45.5340, 9.2030), (45.5358, 9.2015), (45.5380, 9.2022), (45.5398, 9.2045), (45.5405, 9.2080),
                (45.5396, 9.2112), (45.5376, 9.2125), (45.5357, 9.2110), (45.5362, 9.2078), (45.5378, 9.2060),
                (45.5368, 9.2040), (45.5350, 9.2052), (45.5342, 9.2035),
            ])
    }

    private static func lambro() throws(SuiteError) -> RaceCourse {
        try RaceCourse(
            "Corsa del Parco Lambro", in: "Milano, Parco Lambro",
            checkpoints: ["Argine", "Cascina", "Ponte"],
            through: [
                (45.4925, 9.2475), (45.4943, 9.2497), (45.4962, 9.2502), (45.4985, 9.2512), (45.5008, 9.2508),
                (45.5024, 9.2490), (45.5018, 9.2465), (45.4998, 9.2460), (45.4980, 9.2474), (45.4962, 9.2470),
                (45.4950, 9.2448), (45.4935, 9.2440), (45.4924, 9.2462),
            ])
    }

    private static func cave() throws(SuiteError) -> RaceCourse {
        try RaceCourse(
            "Giro del Parco delle Cave", in: "Milano, Baggio",
            checkpoints: ["Cava Aurora", "Cava Cabassi", "Cascina Linterno"],
            through: [
                (45.4665, 9.0975), (45.4683, 9.0962), (45.4702, 9.0970), (45.4718, 9.0992), (45.4722, 9.1022),
                (45.4710, 9.1048), (45.4690, 9.1056), (45.4672, 9.1045), (45.4655, 9.1055), (45.4640, 9.1040),
                (45.4638, 9.1010), (45.4650, 9.0988), (45.4664, 9.0978),
            ])
    }
}
