/// An Italian province or metropolitan city, with the municipality that is its capital (the first of them where there are
/// several). The 107 of the years 2016 to 2025.
public struct Province: Hashable, Sendable {
    /// The capital's Belfiore code.
    public let capital: BelfioreCode
    public let capitalName: String
    /// Two letters, as on number plates of old.
    public let abbreviation: String
    public let name: String
    public let region: Region

    /// The province of that abbreviation, in upper or lower case.
    public init?(abbreviation: String) {
        let letters = abbreviation.uppercased()
        guard let province = Self.all.first(where: { $0.abbreviation == letters }) else { return nil }
        self = province
    }

    /// The province whose capital this municipality is.
    public init?(capital: BelfioreCode) {
        guard let province = Self.byCapital[capital] else { return nil }
        self = province
    }

    private init?(_ code: String, _ capitalName: String, _ abbreviation: String, _ name: String, _ region: Region) {
        guard let capital = BelfioreCode(code) else { return nil }
        self.capital = capital
        self.capitalName = capitalName
        self.abbreviation = abbreviation
        self.name = name
        self.region = region
    }

    private static let byCapital = Dictionary(all.map { ($0.capital, $0) }, uniquingKeysWith: { first, _ in first })

    /// From north to south, by region.
    public static let all: [Province] = [
        // Piemonte
        .init("L219", "Torino", "TO", "Torino", .piedmont),
        .init("L750", "Vercelli", "VC", "Vercelli", .piedmont),
        .init("F952", "Novara", "NO", "Novara", .piedmont),
        .init("D205", "Cuneo", "CN", "Cuneo", .piedmont),
        .init("A479", "Asti", "AT", "Asti", .piedmont),
        .init("A182", "Alessandria", "AL", "Alessandria", .piedmont),
        .init("A859", "Biella", "BI", "Biella", .piedmont),
        .init("L746", "Verbania", "VB", "Verbano-Cusio-Ossola", .piedmont),
        // Valle d'Aosta
        .init("A326", "Aosta", "AO", "Valle d'Aosta", .aostaValley),
        // Lombardia
        .init("F205", "Milano", "MI", "Milano", .lombardy),
        .init("L682", "Varese", "VA", "Varese", .lombardy),
        .init("C933", "Como", "CO", "Como", .lombardy),
        .init("I829", "Sondrio", "SO", "Sondrio", .lombardy),
        .init("A794", "Bergamo", "BG", "Bergamo", .lombardy),
        .init("B157", "Brescia", "BS", "Brescia", .lombardy),
        .init("G388", "Pavia", "PV", "Pavia", .lombardy),
        .init("D150", "Cremona", "CR", "Cremona", .lombardy),
        .init("E897", "Mantova", "MN", "Mantova", .lombardy),
        .init("E507", "Lecco", "LC", "Lecco", .lombardy),
        .init("E648", "Lodi", "LO", "Lodi", .lombardy),
        .init("F704", "Monza", "MB", "Monza e della Brianza", .lombardy),
        // Trentino-Alto Adige
        .init("A952", "Bolzano", "BZ", "Bolzano", .trentinoSouthTyrol),
        .init("L378", "Trento", "TN", "Trento", .trentinoSouthTyrol),
        // Veneto
        .init("L781", "Verona", "VR", "Verona", .veneto),
        .init("L840", "Vicenza", "VI", "Vicenza", .veneto),
        .init("A757", "Belluno", "BL", "Belluno", .veneto),
        .init("L407", "Treviso", "TV", "Treviso", .veneto),
        .init("L736", "Venezia", "VE", "Venezia", .veneto),
        .init("G224", "Padova", "PD", "Padova", .veneto),
        .init("H620", "Rovigo", "RO", "Rovigo", .veneto),
        // Friuli-Venezia Giulia
        .init("L483", "Udine", "UD", "Udine", .friuliVeneziaGiulia),
        .init("E098", "Gorizia", "GO", "Gorizia", .friuliVeneziaGiulia),
        .init("L424", "Trieste", "TS", "Trieste", .friuliVeneziaGiulia),
        .init("G888", "Pordenone", "PN", "Pordenone", .friuliVeneziaGiulia),
        // Liguria
        .init("E290", "Imperia", "IM", "Imperia", .liguria),
        .init("I480", "Savona", "SV", "Savona", .liguria),
        .init("D969", "Genova", "GE", "Genova", .liguria),
        .init("E463", "La Spezia", "SP", "La Spezia", .liguria),
        // Emilia-Romagna
        .init("G535", "Piacenza", "PC", "Piacenza", .emiliaRomagna),
        .init("G337", "Parma", "PR", "Parma", .emiliaRomagna),
        .init("H223", "Reggio nell'Emilia", "RE", "Reggio nell'Emilia", .emiliaRomagna),
        .init("F257", "Modena", "MO", "Modena", .emiliaRomagna),
        .init("A944", "Bologna", "BO", "Bologna", .emiliaRomagna),
        .init("D548", "Ferrara", "FE", "Ferrara", .emiliaRomagna),
        .init("H199", "Ravenna", "RA", "Ravenna", .emiliaRomagna),
        .init("D704", "Forlì", "FC", "Forlì-Cesena", .emiliaRomagna),
        .init("H294", "Rimini", "RN", "Rimini", .emiliaRomagna),
        // Toscana
        .init("F023", "Massa", "MS", "Massa-Carrara", .tuscany),
        .init("E715", "Lucca", "LU", "Lucca", .tuscany),
        .init("G713", "Pistoia", "PT", "Pistoia", .tuscany),
        .init("D612", "Firenze", "FI", "Firenze", .tuscany),
        .init("E625", "Livorno", "LI", "Livorno", .tuscany),
        .init("G702", "Pisa", "PI", "Pisa", .tuscany),
        .init("A390", "Arezzo", "AR", "Arezzo", .tuscany),
        .init("I726", "Siena", "SI", "Siena", .tuscany),
        .init("E202", "Grosseto", "GR", "Grosseto", .tuscany),
        .init("G999", "Prato", "PO", "Prato", .tuscany),
        // Umbria
        .init("G478", "Perugia", "PG", "Perugia", .umbria),
        .init("L117", "Terni", "TR", "Terni", .umbria),
        // Marche
        .init("G479", "Pesaro", "PU", "Pesaro e Urbino", .marche),
        .init("A271", "Ancona", "AN", "Ancona", .marche),
        .init("E783", "Macerata", "MC", "Macerata", .marche),
        .init("A462", "Ascoli Piceno", "AP", "Ascoli Piceno", .marche),
        .init("D542", "Fermo", "FM", "Fermo", .marche),
        // Lazio
        .init("M082", "Viterbo", "VT", "Viterbo", .lazio),
        .init("H282", "Rieti", "RI", "Rieti", .lazio),
        .init("H501", "Roma", "RM", "Roma", .lazio),
        .init("E472", "Latina", "LT", "Latina", .lazio),
        .init("D810", "Frosinone", "FR", "Frosinone", .lazio),
        // Abruzzo
        .init("A345", "L'Aquila", "AQ", "L'Aquila", .abruzzo),
        .init("L103", "Teramo", "TE", "Teramo", .abruzzo),
        .init("G482", "Pescara", "PE", "Pescara", .abruzzo),
        .init("C632", "Chieti", "CH", "Chieti", .abruzzo),
        // Molise
        .init("B519", "Campobasso", "CB", "Campobasso", .molise),
        .init("E335", "Isernia", "IS", "Isernia", .molise),
        // Campania
        .init("B963", "Caserta", "CE", "Caserta", .campania),
        .init("A783", "Benevento", "BN", "Benevento", .campania),
        .init("F839", "Napoli", "NA", "Napoli", .campania),
        .init("A509", "Avellino", "AV", "Avellino", .campania),
        .init("H703", "Salerno", "SA", "Salerno", .campania),
        // Puglia
        .init("D643", "Foggia", "FG", "Foggia", .apulia),
        .init("A662", "Bari", "BA", "Bari", .apulia),
        .init("L049", "Taranto", "TA", "Taranto", .apulia),
        .init("B180", "Brindisi", "BR", "Brindisi", .apulia),
        .init("E506", "Lecce", "LE", "Lecce", .apulia),
        .init("A669", "Barletta", "BT", "Barletta-Andria-Trani", .apulia),
        // Basilicata
        .init("G942", "Potenza", "PZ", "Potenza", .basilicata),
        .init("F052", "Matera", "MT", "Matera", .basilicata),
        // Calabria
        .init("D086", "Cosenza", "CS", "Cosenza", .calabria),
        .init("C352", "Catanzaro", "CZ", "Catanzaro", .calabria),
        .init("H224", "Reggio di Calabria", "RC", "Reggio di Calabria", .calabria),
        .init("D122", "Crotone", "KR", "Crotone", .calabria),
        .init("F537", "Vibo Valentia", "VV", "Vibo Valentia", .calabria),
        // Sicilia
        .init("L331", "Trapani", "TP", "Trapani", .sicily),
        .init("G273", "Palermo", "PA", "Palermo", .sicily),
        .init("F158", "Messina", "ME", "Messina", .sicily),
        .init("A089", "Agrigento", "AG", "Agrigento", .sicily),
        .init("B429", "Caltanissetta", "CL", "Caltanissetta", .sicily),
        .init("C342", "Enna", "EN", "Enna", .sicily),
        .init("C351", "Catania", "CT", "Catania", .sicily),
        .init("H163", "Ragusa", "RG", "Ragusa", .sicily),
        .init("I754", "Siracusa", "SR", "Siracusa", .sicily),
        // Sardegna
        .init("I452", "Sassari", "SS", "Sassari", .sardinia),
        .init("F979", "Nuoro", "NU", "Nuoro", .sardinia),
        .init("B354", "Cagliari", "CA", "Cagliari", .sardinia),
        .init("G113", "Oristano", "OR", "Oristano", .sardinia),
        .init("B745", "Carbonia", "SU", "Sud Sardegna", .sardinia),
    ].compactMap(\.self)
}
