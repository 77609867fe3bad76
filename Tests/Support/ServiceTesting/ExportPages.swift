public import Contracts

/// Reads an export as accounts does.
public enum ExportPages {
    /// Bytes of each file, by path. Fails when the pieces of a file are not one after the other.
    public static func all(
        _ page: (_ after: String?) async throws -> Exports.Page
    ) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var last: String?
        var after: String?
        repeat {
            let answer = try await page(after)
            for piece in answer.pieces {
                guard piece.path == last || counts[piece.path] == nil else { throw Scattered(path: piece.path) }
                counts[piece.path, default: 0] += piece.count
                last = piece.path
            }
            after = answer.next
        } while after != nil
        return counts
    }

    struct Scattered: Error { let path: String }
}
