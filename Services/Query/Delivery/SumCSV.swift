import Contracts
import Domain

/// Sums as CSV (RFC 4180): one line for each, times in RFC 3339, units in UCUM. Rates have a mean, a smallest and a greatest
/// value, counters a sum, and states a line for each state with the seconds in it.
enum SumCSV {
    static let header = Array("type,start,end,count,mean,min,max,sum,unit,state,seconds\r\n".utf8)

    static func lines(_ sums: Sums) -> [UInt8] {
        sums.buckets.flatMap { bucket -> [UInt8] in
            let first = "\(sums.type.name),\(bucket.start),\(bucket.end),\(bucket.count),"
            guard let states = bucket.states else {
                let values = [bucket.mean, bucket.min, bucket.max, bucket.sum].map(text).joined(separator: ",")
                return Array("\(first)\(values),\(sums.unit),,\r\n".utf8)
            }
            return states.flatMap { Array("\(first),,,,,\($0.state),\(text($0.seconds))\r\n".utf8) }
        }
    }

    private static func text(_ value: Double?) -> String {
        guard let value else { return "" }
        return Int64(exactly: value)?.description ?? value.description
    }
}
