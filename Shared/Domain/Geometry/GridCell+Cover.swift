import Glibc

extension GridCell {
    /// Every cell that has a point in common with the area, in ascending order: what a place in a group request is rounded to.
    /// Throws `GeometryError.tooManyCells` when there are more than `cellsMax`; the work is bounded by rows × vertices.
    public static func cover(_ area: Area, cellsMax: Int) throws(GeometryError) -> [GridCell] {
        let latitudes = area.latitudes
        var cells: [GridCell] = []
        for row in row(latitude: latitudes.lowerBound)...row(latitude: latitudes.upperBound) {
            let (south, north) = Self.latitudes(row: row)
            let columns = columns(inRow: row)
            for range in merged(area.spans(south: south, north: north), columns: columns) {
                guard cells.count + range.count <= cellsMax else { throw .tooManyCells(max: cellsMax) }
                cells += range.map { GridCell(row: row, column: $0) }
            }
        }
        return cells
    }

    /// Spans of longitude as disjoint, ascending ranges of columns.
    private static func merged(_ spans: [ClosedRange<Double>], columns: Int) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for span in spans {
            let first = Int(((span.lowerBound + 180) / 360 * Double(columns)).rounded(.down))
            let last = Int(((span.upperBound + 180) / 360 * Double(columns)).rounded(.down))
            guard last - first < columns - 1 else { return [0...columns - 1] }
            let start = ((first % columns) + columns) % columns
            let end = start + (last - first)
            if end < columns {
                ranges.append(start...end)
            } else {
                ranges += [start...columns - 1, 0...end - columns]
            }
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var result: [ClosedRange<Int>] = []
        for range in ranges {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
