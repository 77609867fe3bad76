import Glibc
import JSON
import Primitives
import Service

/// The area of one ambulance service as a file of GeoJSON (RFC 7946): a Polygon or MultiPolygon, or Features of them. What else a
/// file has (properties, names, bounding boxes) is passed over; heights are, too.
struct GeoJSONFile: Sendable {
    static let bytesMax = 4 << 20
    static let suffix = ".geojson"

    let area: DrawnArea
    /// What the standard asks otherwise, and what can be understood all the same: sentences that name no file.
    let remarks: [String]

    /// Errors: what is wrong with the file and its rings, in one sentence.
    static func load(_ path: String) throws(ConfigurationError) -> GeoJSONFile {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) { bytes = try SmallFile.read(path, bytesMax: bytesMax) } catch {
            throw ConfigurationError(error)
        }
        do throws(Fault) { return try GeoJSONFile(bytes) } catch {
            throw ConfigurationError("The area \(path) cannot be used: \(error.sentence)")
        }
    }

    /// The names of the areas in a directory: its files without `.geojson`. Other files are an error: an area whose name is
    /// misspelt must not be passed over.
    static func names(in directory: String) throws(ConfigurationError) -> [String] {
        guard let stream = opendir(directory) else {
            throw ConfigurationError(
                "The directory of areas \(directory) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            guard !name.hasPrefix(".") else { continue }
            guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else {
                throw ConfigurationError("In the directory of areas \(directory), \(name) is not a file NAME\(suffix).")
            }
            names.append(String(name.dropLast(suffix.count)))
        }
        return names.sorted()
    }

    struct Fault: Error, Equatable {
        let sentence: String
    }

    init(_ bytes: [UInt8]) throws(Fault) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONDecoder().decode(JSONValue.self, from: bytes) } catch {
            throw Fault(sentence: "it is not JSON: \(error.description).")
        }
        let polygons = try Self.polygons(of: value, depth: 0)
        guard !polygons.isEmpty else { throw Fault(sentence: "it has no polygon.") }
        let count = polygons.reduce(0) { $0 + $1.rings.reduce(0) { $0 + $1.vertices.count } }
        guard count <= DrawnArea.verticesMax else {
            throw Fault(
                sentence:
                    "it has \(count) corners, and \(DrawnArea.verticesMax) are possible: simplify it, to 50 m, say.")
        }
        let faults = RingFaults(polygons)
        if let first = faults.errors.first {
            let more = faults.errors.count - 1
            throw Fault(sentence: first + (more > 0 ? " There are \(more) more faults like it." : ""))
        }
        area = DrawnArea(polygons)
        remarks = faults.remarks
    }

    // MARK: Geometries

    private static let featuresDepthMax = 4

    private static func polygons(of value: JSONValue, depth: Int) throws(Fault) -> [DrawnArea.Polygon] {
        guard depth < featuresDepthMax else { throw Fault(sentence: "collections are nested too deeply.") }
        switch text(value["type"]) {
        case "Feature":
            guard let geometry = value["geometry"], geometry != .null else {
                throw Fault(sentence: "a Feature has no geometry.")
            }
            return try polygons(of: geometry, depth: depth + 1)
        case "FeatureCollection":
            var found: [DrawnArea.Polygon] = []
            for feature in items(value["features"]) ?? [] { found += try polygons(of: feature, depth: depth + 1) }
            return found
        case "GeometryCollection":
            var found: [DrawnArea.Polygon] = []
            for geometry in items(value["geometries"]) ?? [] { found += try polygons(of: geometry, depth: depth + 1) }
            return found
        case "Polygon": return [try polygon(value["coordinates"], "")]
        case "MultiPolygon":
            guard let parts = items(value["coordinates"]) else {
                throw Fault(sentence: "a MultiPolygon has no coordinates.")
            }
            var found: [DrawnArea.Polygon] = []
            for (number, part) in parts.enumerated() { found.append(try polygon(part, " of polygon \(number + 1)")) }
            return found
        case let type?: throw Fault(sentence: "a \(type) is no area; a Polygon or MultiPolygon is.")
        case nil: throw Fault(sentence: "it is not GeoJSON: an object has no \"type\".")
        }
    }

    private static func polygon(_ value: JSONValue?, _ place: String) throws(Fault) -> DrawnArea.Polygon {
        guard let parts = items(value), !parts.isEmpty else { throw Fault(sentence: "a Polygon has no rings.") }
        var rings: [DrawnArea.Ring] = []
        for (number, part) in parts.enumerated() {
            rings.append(try ring(part, number == 0 ? "the outer ring\(place)" : "hole \(number)\(place)"))
        }
        return DrawnArea.Polygon(outer: rings[0], holes: Array(rings.dropFirst()))
    }

    private static func ring(_ value: JSONValue, _ name: String) throws(Fault) -> DrawnArea.Ring {
        guard let positions = items(value) else { throw Fault(sentence: "\(name) is no list of positions.") }
        guard positions.count >= 4 else {
            throw Fault(
                sentence:
                    "\(name) has \(positions.count) positions; a triangle has 4, the last one being the first again.")
        }
        var vertices: [DrawnArea.Vertex] = []
        for (number, position) in positions.enumerated() {
            guard let numbers = items(position), numbers.count >= 2, let longitude = self.number(numbers[0]),
                let latitude = self.number(numbers[1])
            else { throw Fault(sentence: "position \(number + 1) of \(name) is not [longitude, latitude].") }
            guard (-180...180).contains(longitude), (-90...90).contains(latitude) else {
                let isSwapped = (-90...90).contains(longitude) && (-180...180).contains(latitude)
                throw Fault(
                    sentence: "position \(number + 1) of \(name), [\(longitude), \(latitude)], is not on the Earth"
                        + (isSwapped ? "; GeoJSON has the longitude first." : "."))
            }
            vertices.append(.init(longitude: longitude, latitude: latitude))
        }
        guard vertices.first == vertices.last else {
            throw Fault(sentence: "\(name) is not closed: its last position has to be its first one again.")
        }
        vertices.removeLast()
        return DrawnArea.Ring(vertices: vertices)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func items(_ value: JSONValue?) -> [JSONValue]? {
        if case .array(let items) = value { items } else { nil }
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}
