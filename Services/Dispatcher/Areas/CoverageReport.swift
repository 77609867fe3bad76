import Domain
import Glibc

/// What the areas of all ambulance services leave to say, for the operator who draws them: where two overlap, and what lies between
/// them and is covered by none. Found on a raster, so what is narrower than `stepMetres` is not seen.
struct CoverageReport {
    /// A hole is told when it is no wider than this many steps, or is enclosed.
    private static let gapSteps = 2
    private static let linesMax = 20

    private(set) var lines: [String] = []

    /// `services` in the order of the hooks file. `rowsMax` bounds the raster, and so the work.
    init(_ services: [(name: String, area: ServiceArea?)], rowsMax: Int = 800) {
        let everywhere = services.filter { $0.area == nil }.map(\.name)
        let drawn = services.compactMap { service in service.area.map { (name: service.name, area: $0) } }
        guard let raster = Raster(drawn.map(\.area), rowsMax: rowsMax) else {
            if !everywhere.isEmpty { lines.append(Self.everywhere(everywhere)) }
            return
        }
        overlaps(raster, drawn.map(\.name))
        if everywhere.isEmpty {
            gaps(raster, drawn.map(\.name))
        } else {
            lines.append(Self.everywhere(everywhere))
        }
        lines = Array(lines.prefix(Self.linesMax))
        lines.append("The areas were compared in steps of \(raster.stepMetres) m; what is narrower was not looked at.")
    }

    private static func everywhere(_ names: [String]) -> String {
        "\(Self.list(names)) \(names.count == 1 ? "has" : "have") no area, and \(names.count == 1 ? "is" : "are") called for every place."
    }

    private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: " and ") }

    // MARK: Overlaps

    private mutating func overlaps(_ raster: Raster, _ names: [String]) {
        var shared: [[Int]: (cells: Int, squareKilometres: Double, cell: Int)] = [:]
        for cell in raster.covered.indices where raster.covered[cell].count > 1 {
            let owners = raster.covered[cell]
            for first in owners.indices {
                for second in owners.indices.dropFirst(first + 1) {
                    let pair = [owners[first], owners[second]].map(Int.init)
                    var known = shared[pair] ?? (0, 0, cell)
                    known.cells += 1
                    known.squareKilometres += raster.squareKilometres(of: cell)
                    shared[pair] = known
                }
            }
        }
        for (pair, found) in shared.sorted(by: { $0.value.squareKilometres > $1.value.squareKilometres }) {
            lines.append(
                "\(Self.list(pair.map { names[$0] })) overlap by about \(Self.size(found.squareKilometres)), near "
                    + "\(raster.place(of: found.cell)); there \"\(names[pair[0]])\" is called first.")
        }
    }

    private static func size(_ squareKilometres: Double) -> String {
        squareKilometres < 10
            ? "\((squareKilometres * 10).rounded() / 10) km²" : "\(Int(squareKilometres.rounded())) km²"
    }

    // MARK: Gaps

    private mutating func gaps(_ raster: Raster, _ names: [String]) {
        for gap in raster.gaps(reach: Self.gapSteps) {
            let around = gap.neighbours.sorted().map { names[Int($0)] }
            let size = gap.cells.reduce(0) { $0 + raster.squareKilometres(of: $1) }
            guard gap.isEnclosed || around.count > 1, let middle = gap.cells.dropFirst(gap.cells.count / 2).first else {
                continue
            }
            lines.append(
                "About \(Self.size(size)) near \(raster.place(of: middle)), between \(Self.list(around)), "
                    + "\(gap.isEnclosed ? "are" : "seem to be") covered by nobody: for a position there all are called, in order."
            )
        }
    }
}
