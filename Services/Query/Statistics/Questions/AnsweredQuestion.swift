public import JSON

/// A question about a group and its answer, as JSON for who asked it.
public struct AnsweredQuestion: Sendable {
    /// As it was asked.
    public let question: JSONRaw
    /// 32 bytes, the same whenever the same is asked, however it is written.
    public let key: [UInt8]
    /// Per data type and day; `nil` when not enough people match for anything to be told about them.
    public let buckets: JSONRaw?
    /// What the asker may still spend on each month of the data.
    public let balance: JSONRaw

    init(_ body: GroupQuestionBody, _ answer: GroupAnswer) throws(JSONError) {
        question = try JSONRaw(encoding: body)
        key = answer.key
        buckets = answer.isEmpty ? nil : try JSONRaw(encoding: answer.buckets)
        balance = try JSONRaw(encoding: answer.balance)
    }
}
