extension [Int64] {
    /// Of ascending times: which are from `from` to before `to`.
    func range(from: Int64, to: Int64) -> Range<Int> {
        let lower = firstIndex(notBefore: from)
        return lower..<Swift.max(lower, firstIndex(notBefore: to))
    }

    private func firstIndex(notBefore bound: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
