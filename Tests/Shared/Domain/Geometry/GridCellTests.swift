import Domain
import Testing

@Suite struct GridCellTests {
    @Test("GRP-01: cells are about 1 km by 1 km")
    func size() {
        for latitude in stride(from: -89.0, to: 89, by: 0.37) {
            let box = GridCell(at(latitude, 12.3)).box
            let height = at(box.south, box.west).distance(to: at(box.north, box.west))
            let middle = (box.south + box.north) / 2
            let width = at(middle, box.west).distance(to: at(middle, box.east))
            #expect(abs(height - 1000.76) < 0.01)
            #expect(abs(width - 1000.76) < 3, "at \(latitude)")
        }
    }

    @Test("GRP-01: a cell's identifier names it for ever")
    func identifiers() throws {
        #expect(GridCell(at(45.4642, 9.19)).id == 602_054_743)
        #expect(GridCell(at(-90, -180)).id == 0)
        for latitude in stride(from: -90.0, through: 90, by: 0.731_013_1) {
            for longitude in stride(from: -179.999_37, through: 180, by: 7.770_013) {
                let cell = GridCell(at(latitude, longitude))
                #expect(GridCell(id: cell.id) == cell)
                #expect(GridCell(cell.center) == cell)
                #expect(cell.box.contains(cell.center))
                #expect(cell.box.contains(at(latitude, longitude)))
            }
        }
        #expect(GridCell(at(10, 180)) == GridCell(at(10, -180)))
        #expect(GridCell(id: -1) == nil)
        #expect(GridCell(id: 39_999) == nil)
        #expect(GridCell(id: 800_000_000) == nil)
    }

    static let areas: [Area] = [
        .circle(Circle(center: at(45.4642, 9.19), radius: 4000)!), .circle(Circle(center: at(45.46, 9.19), radius: 1)!),
        .circle(Circle(center: at(-17, 179.99), radius: 6000)!), .circle(Circle(center: at(89.99, 10), radius: 6000)!),
        .box(BoundingBox(south: 41.8, west: 12.4, north: 41.95, east: 12.6)!),
        .box(BoundingBox(south: -17, west: 179.95, north: -16.95, east: -179.95)!),
        .polygon(try! Polygon([at(41.8, 12.4), at(41.95, 12.45), at(41.85, 12.5), at(41.9, 12.6), at(41.79, 12.5)])),
        .polygon(try! Polygon([at(-17, 179.95), at(-17.02, -179.95), at(-16.95, -179.97)])),
        .polygon(try! Polygon([at(45, 9), at(45.2, 9.2), at(45.2001, 9.2)])),
    ]

    @Test(
        "GRP-01: the cover of an area holds the cell of every point in it, and only cells that touch it",
        arguments: areas)
    func cover(area: Area) throws {
        let cells = try GridCell.cover(area, cellsMax: 10_000)
        let set = Set(cells)
        #expect(set.count == cells.count)
        #expect(cells == cells.sorted())
        // Everything around the area: each cell that has a sampled point in the area must be in the cover.
        var around = set
        for cell in cells {
            for bearing in stride(from: 0.0, to: 360, by: 45) {
                around.insert(GridCell(cell.center.moved(metres: 1100, bearing: bearing)))
            }
        }
        for cell in around {
            let box = cell.box
            var meets = false
            for row in 0...24 where !meets {
                for column in 0...24 {
                    let point = at(
                        box.south + (box.north - box.south) * Double(row) / 24.001,
                        box.west + (box.east - box.west) * Double(column) / 24.001)
                    if area.contains(point) { meets = true }
                }
            }
            if meets { #expect(set.contains(cell)) }
            if case .box = area { #expect(!set.contains(cell) || meets || box.touches(area)) }
            if case .circle(let circle) = area, set.contains(cell) {
                #expect(circle.center.distance(to: cell.center) < circle.radius + 720)
            }
        }
    }

    @Test("GRP-01: covers agree with the size of the area, and are limited")
    func limits() throws {
        let circle = Area.circle(Circle(center: at(42, 12), radius: 20_000)!)
        let count = try GridCell.cover(circle, cellsMax: 10_000).count
        // π r² plus the border: about 4 r cells of which a part is outside.
        #expect((1257...1257 + 100).contains(count))
        #expect(throws: GeometryError.tooManyCells(max: count - 1)) { try GridCell.cover(circle, cellsMax: count - 1) }
        let world = Area.box(BoundingBox(south: -90, west: -180, north: 90, east: 180)!)
        #expect(throws: GeometryError.tooManyCells(max: 100_000)) { try GridCell.cover(world, cellsMax: 100_000) }
    }
}

extension BoundingBox {
    /// Whether the edges of a box area come within rounding of this one.
    fileprivate func touches(_ area: Area) -> Bool {
        guard case .box(let other) = area, south <= other.north, north >= other.south else { return false }
        let otherEast = other.west > other.east ? other.east + 360 : other.east
        for turn in [-360.0, 0, 360] where west + turn <= otherEast && east + turn >= other.west { return true }
        return false
    }
}
