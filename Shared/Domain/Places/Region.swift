/// The regions of Italy; the raw value is the name in Italian.
public enum Region: String, Sendable, CaseIterable {
    case piedmont = "Piemonte"
    case aostaValley = "Valle d'Aosta"
    case lombardy = "Lombardia"
    case trentinoSouthTyrol = "Trentino-Alto Adige"
    case veneto = "Veneto"
    case friuliVeneziaGiulia = "Friuli-Venezia Giulia"
    case liguria = "Liguria"
    case emiliaRomagna = "Emilia-Romagna"
    case tuscany = "Toscana"
    case umbria = "Umbria"
    case marche = "Marche"
    case lazio = "Lazio"
    case abruzzo = "Abruzzo"
    case molise = "Molise"
    case campania = "Campania"
    case apulia = "Puglia"
    case basilicata = "Basilicata"
    case calabria = "Calabria"
    case sicily = "Sicilia"
    case sardinia = "Sardegna"

    /// The region of that name, however its letters are cased and whatever stands between its words: `emilia-romagna` and
    /// `Emilia Romagna` are the same.
    public init?(name: String) {
        let key = Self.key(name)
        guard let region = Self.allCases.first(where: { Self.key($0.rawValue) == key }) else { return nil }
        self = region
    }

    private static func key(_ name: String) -> String {
        var octets: [UInt8] = []
        for octet in name.utf8.prefix(64) {
            switch octet {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): octets.append(octet + 32)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): octets.append(octet)
            default: if octets.last != UInt8(ascii: "-") { octets.append(UInt8(ascii: "-")) }
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
