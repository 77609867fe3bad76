import Glibc

/// A cell of the public grid of about 1 km (group requests name places by it). The Earth is cut into 20,000 rows of 0.009° of
/// latitude (1.0008 km), counted from the South Pole; a row whose middle is at latitude φ into round(40,000 cos φ) columns, at least one, of
/// equal width, counted from the antimeridian eastwards.
public struct GridCell: Hashable, Comparable, Sendable {
    /// Row × 40,000 + column.
    public let id: Int32

    static let rows = 20_000
    private static let columnsMax = 40_000
    private static let rowsPerDegree = 20_000 / 180.0

    /// The cell of that identifier; `nil` when there is none.
    public init?(id: Int32) {
        guard id >= 0, Int(id) / Self.columnsMax < Self.rows,
            Int(id) % Self.columnsMax < Self.columns(inRow: Int(id) / Self.columnsMax)
        else { return nil }
        self.id = id
    }

    /// The cell that holds a point.
    public init(_ point: Coordinate) {
        let row = Self.row(latitude: point.latitude)
        let columns = Self.columns(inRow: row)
        let column = Int((point.longitude + 180) / 360 * Double(columns))
        self.init(row: row, column: column == columns ? 0 : column)
    }

    init(row: Int, column: Int) {
        id = Int32(row * Self.columnsMax + column)
    }

    var row: Int { Int(id) / Self.columnsMax }
    var column: Int { Int(id) % Self.columnsMax }

    /// The points of the cell; its southern and western edges belong to it.
    public var box: BoundingBox {
        let (south, north) = Self.latitudes(row: row)
        let width = 360 / Double(Self.columns(inRow: row))
        let west = -180 + Double(column) * width
        return BoundingBox(clamping: south, west, north, west + width)
    }

    /// The middle of the cell.
    public var center: Coordinate {
        let (south, north) = Self.latitudes(row: row)
        let width = 360 / Double(Self.columns(inRow: row))
        return Coordinate(latitude: (south + north) / 2, wrapping: -180 + (Double(column) + 0.5) * width)
    }

    public static func < (left: GridCell, right: GridCell) -> Bool { left.id < right.id }

    static func row(latitude: Double) -> Int { min(max(Int((latitude + 90) * rowsPerDegree), 0), rows - 1) }

    static func latitudes(row: Int) -> (south: Double, north: Double) {
        (Double(row) / rowsPerDegree - 90, Double(row + 1) / rowsPerDegree - 90)
    }

    static func columns(inRow row: Int) -> Int {
        let middle = (Double(row) + 0.5) / rowsPerDegree - 90
        return max(1, Int((Double(columnsMax) * cos(radians(middle))).rounded()))
    }
}
