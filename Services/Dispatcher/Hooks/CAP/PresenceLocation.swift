import Domain
import Primitives

/// A position as PIDF-LO (RFC 4119, RFC 5491), with direction and speed (RFC 5962): the form in which the emergency services of the
/// Internet world take it.
struct PresenceLocation {
    /// EPSG 4326: latitude, longitude.
    private static let reference = "urn:ogc:def:crs:EPSG::4326"
    private static let metre = "urn:ogc:def:uom:EPSG::9001"

    private let position: IncidentMessage.Position
    private let incident: UUID
    private let sender: CAPAlert.Sender

    init(_ position: IncidentMessage.Position, of incident: UUID, sender: CAPAlert.Sender) {
        self.position = position
        self.incident = incident
        self.sender = sender
    }

    /// The radius that holds the true position with 95%, which RFC 5491 and RFC 7459 mean, of one that holds it with 68%, which
    /// devices tell: √(ln 0.05 / ln 0.32), both errors being normal and alike in each direction.
    static func radius95(_ radius68: Double) -> Double { radius68 * 1.6214 }

    func encoded() -> [UInt8] {
        var writer = XMLWriter()
        writer.element(
            "presence",
            [
                ("xmlns", "urn:ietf:params:xml:ns:pidf"), ("xmlns:dm", "urn:ietf:params:xml:ns:pidf:data-model"),
                ("xmlns:gp", "urn:ietf:params:xml:ns:pidf:geopriv10"),
                ("xmlns:gbp", "urn:ietf:params:xml:ns:pidf:geopriv10:basicPolicy"),
                ("xmlns:dyn", "urn:ietf:params:xml:ns:pidf:geopriv10:dynamic"),
                ("xmlns:gml", "http://www.opengis.net/gml"),
                ("xmlns:gs", "http://www.opengis.net/pidflo/1.0"),
                ("entity", "pres:\(incident)@\(sender.text.split(separator: "@").last ?? "localhost")"),
            ]
        ) { presence in
            presence.element("dm:device", [("id", "wearable")]) { device in
                device.element("gp:geopriv") { geopriv in
                    geopriv.element("gp:location-info") { location(&$0) }
                    geopriv.element("gp:usage-rules") { $0.element("gbp:retransmission-allowed", "yes") }
                }
                device.element("dm:deviceID", "urn:uuid:\(incident)")
                device.element("dm:timestamp", position.time.description)
            }
        }
        return writer.bytes
    }

    private func location(_ info: inout XMLWriter) {
        let place = "\(position.latitude) \(position.longitude)"
        if let accuracy = position.accuracyM, accuracy > 0 {
            info.element("gs:Circle", [("srsName", Self.reference)]) { circle in
                circle.element("gml:pos", place)
                circle.element("gs:radius", [("uom", Self.metre)], "\(Self.radius95(accuracy).rounded(.up))")
            }
        } else {
            info.element("gml:Point", [("srsName", Self.reference)]) { $0.element("gml:pos", place) }
        }
        if let direction = position.directionDeg, let speed = position.speedMS {
            info.element("dyn:Dynamic") { dynamic in
                dynamic.element("dyn:heading", "\(direction)")
                dynamic.element("dyn:speed", "\(speed)")
            }
        }
    }
}
