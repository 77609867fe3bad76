import Domain
import Glibc

/// Areas on a grid of equal steps of longitude and latitude, with a margin around them.
struct Raster {
    private static let margin = 4

    let rows: Int
    let columns: Int
    /// Degrees.
    private let step: Double
    private let south: Double
    private let west: Double
    /// By cell, row by row from the south-west: the areas that hold its middle.
    private(set) var covered: [[UInt8]]

    struct Gap {
        var cells: [Int]
        var neighbours: Set<UInt8> = []
        /// Whether no way leads out of it.
        var isEnclosed: Bool
    }

    /// `nil` without areas. At most 255 of them.
    init?(_ areas: [ServiceArea], rowsMax: Int) {
        let bounds = areas.compactMap(\.bounds)
        guard let first = bounds.first, areas.count <= 255 else { return nil }
        let all = bounds.reduce(first) {
            (
                min($0.south, $1.south), min($0.west, $1.west), max($0.north, $1.north), max($0.east, $1.east)
            )
        }
        step = max(all.north - all.south, all.east - all.west, 0.001) / Double(rowsMax)
        south = all.south - Double(Self.margin) * step
        west = all.west - Double(Self.margin) * step
        rows = Int(((all.north - all.south) / step).rounded(.up)) + 2 * Self.margin
        columns = Int(((all.east - all.west) / step).rounded(.up)) + 2 * Self.margin
        covered = Array(repeating: [], count: rows * columns)
        for (number, area) in areas.enumerated() { fill(area, UInt8(number)) }
    }

    private mutating func fill(_ area: ServiceArea, _ number: UInt8) {
        for row in 0..<rows {
            let latitude = latitude(row)
            switch area.rings {
            case let polygons?:
                for polygon in polygons {
                    let crossings = polygon.rings.flatMap { $0.crossings(latitude: latitude) }.sorted()
                    for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                        let from = max(0, Int(((crossings[index] - west) / step - 0.5).rounded(.up)))
                        let to = min(columns, Int(((crossings[index + 1] - west) / step - 0.5).rounded(.up)))
                        for column in from..<max(from, to) { add(number, row * columns + column) }
                    }
                }
            case nil:
                for column in 0..<columns {
                    let longitude = west + (Double(column) + 0.5) * step
                    guard let place = Coordinate(latitude: latitude, longitude: longitude), area.contains(place) else {
                        continue
                    }
                    add(number, row * columns + column)
                }
            }
        }
    }

    private mutating func add(_ number: UInt8, _ cell: Int) {
        if covered[cell].last != number { covered[cell].append(number) }
    }

    private func latitude(_ row: Int) -> Double { south + (Double(row) + 0.5) * step }

    /// From south to north; one from west to east is shorter.
    var stepMetres: Int { Int((step * 111_195).rounded(.up)) }

    func squareKilometres(of cell: Int) -> Double {
        let side = step * 111.195
        return side * side * cos(latitude(cell / columns) * .pi / 180)
    }

    func place(of cell: Int) -> String {
        func short(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
        return "\(short(latitude(cell / columns))) north, \(short(west + (Double(cell % columns) + 0.5) * step)) east"
    }

    // MARK: Gaps

    /// What is covered by none and enclosed by areas, or so narrow that it lies within `reach` steps of areas on both sides.
    func gaps(reach: Int) -> [Gap] {
        let near = grown(covered.map { !$0.isEmpty }, by: reach)
        let outside = grown(reached { !near[$0] }, by: reach)
        let open = reached { covered[$0].isEmpty }
        var isOpen = covered.indices.map { covered[$0].isEmpty && !outside[$0] }
        var found: [Gap] = []
        for cell in isOpen.indices where isOpen[cell] {
            isOpen[cell] = false
            var (gap, index) = (Gap(cells: [cell], isEnclosed: true), 0)
            while index < gap.cells.count {
                let one = gap.cells[index]
                index += 1
                if open[one] { gap.isEnclosed = false }
                for next in neighbours(of: one) {
                    gap.neighbours.formUnion(covered[next])
                    if isOpen[next] {
                        isOpen[next] = false
                        gap.cells.append(next)
                    }
                }
            }
            // One cell is what rounding makes of a border that two areas share.
            if gap.cells.count > 1 { found.append(gap) }
        }
        return found.sorted { $0.cells.count > $1.cells.count }
    }

    private func neighbours(of cell: Int) -> [Int] {
        let (row, column) = (cell / columns, cell % columns)
        var found: [Int] = []
        if row > 0 { found.append(cell - columns) }
        if row + 1 < rows { found.append(cell + columns) }
        if column > 0 { found.append(cell - 1) }
        if column + 1 < columns { found.append(cell + 1) }
        return found
    }

    /// The cells that a way over free ones leads to from the south-western corner, which lies outside of all areas.
    private func reached(_ isFree: (Int) -> Bool) -> [Bool] {
        var isReached = Array(repeating: false, count: covered.count)
        var ways = [0]
        isReached[0] = true
        while let cell = ways.popLast() {
            for next in neighbours(of: cell) where !isReached[next] && isFree(next) {
                isReached[next] = true
                ways.append(next)
            }
        }
        return isReached
    }

    private func grown(_ cells: [Bool], by reach: Int) -> [Bool] {
        var result = cells
        for _ in 0..<reach {
            let before = result
            for cell in before.indices where before[cell] {
                for next in neighbours(of: cell) { result[next] = true }
            }
        }
        return result
    }
}

extension ServiceArea {
    /// Of what it is drawn with; `nil` for what has no corners.
    fileprivate var rings: [DrawnArea.Polygon]? {
        switch self {
        case .drawn(let area): area.polygons
        case .shape(.polygon(let polygon)):
            [
                .init(
                    outer: .init(
                        vertices: polygon.vertices.map { .init(longitude: $0.longitude, latitude: $0.latitude) }),
                    holes: [])
            ]
        case .shape: nil
        }
    }

    /// `nil` for what crosses the antimeridian, and is not compared.
    fileprivate var bounds: (south: Double, west: Double, north: Double, east: Double)? {
        switch self {
        case .drawn(let area): return area.bounds
        case .shape(.circle(let circle)):
            let corners = [0.0, 90, 180, 270].map { circle.center.moved(metres: circle.radius, bearing: $0) }
            let (south, north) = (corners[2].latitude, corners[0].latitude)
            let (west, east) = (corners[3].longitude, corners[1].longitude)
            return south < north && west < east ? (south, west, north, east) : nil
        case .shape(.box(let box)): return box.west <= box.east ? (box.south, box.west, box.north, box.east) : nil
        case .shape(.polygon(let polygon)):
            let all = polygon.vertices
            let (west, east) = (all.map(\.longitude).min() ?? 0, all.map(\.longitude).max() ?? 0)
            return east - west < 180
                ? (all.map(\.latitude).min() ?? 0, west, all.map(\.latitude).max() ?? 0, east) : nil
        }
    }
}
