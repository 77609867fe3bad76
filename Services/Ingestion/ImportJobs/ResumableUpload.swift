import HTTP
import Primitives

/// The fields of resumable uploads (draft-ietf-httpbis-resumable-upload).
enum ResumableUpload {
    /// `?1` and `?0`; `nil` when the field is missing.
    static func isComplete(_ request: HTTPRequest) throws(Problem) -> Bool? {
        switch request.field("upload-complete") {
        case nil: return nil
        case "?1": return true
        case "?0": return false
        default: throw malformed("Upload-Complete", "?0 or ?1")
        }
    }

    static func offset(_ request: HTTPRequest) throws(Problem) -> Int64? {
        try number(request.field("upload-offset"), "Upload-Offset")
    }

    static func length(_ request: HTTPRequest) throws(Problem) -> Int64? {
        try number(request.field("upload-length"), "Upload-Length")
    }

    private static func number(_ text: String?, _ name: String) throws(Problem) -> Int64? {
        guard let text else { return nil }
        guard !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int64(text)
        else { throw malformed(name, "a number of bytes") }
        return value
    }

    private static func malformed(_ name: String, _ form: String) -> Problem {
        Problem(.badRequest, code: "invalid-field", detail: "\(name) must be \(form)")
    }

    static func missing(_ name: String) -> Problem {
        Problem(.badRequest, code: "invalid-field", detail: "\(name) is missing")
    }

    /// What is taken, and for how long an upload that is not complete is kept, at most.
    private static func limit(_ job: ImportJob, _ now: Timestamp) -> String {
        let left = job.createdAt + ImportRoutes.receivingMax - now
        let age = min(Int64(ImportRoutes.abandonedHours) * 3600, max(0, left.components.seconds))
        return "max-size=\(ImportReceiver.fileBytesMax), max-age=\(age)"
    }

    static func fields(of job: ImportJob, at now: Timestamp) -> HTTPFields {
        var fields = HTTPFields()
        fields["Upload-Offset"] = "\(job.received)"
        fields["Upload-Complete"] = job.state == .receiving ? "?0" : "?1"
        fields["Upload-Limit"] = limit(job, now)
        if let length = job.length { fields["Upload-Length"] = "\(length)" }
        return fields
    }

    /// 409 with where the upload is.
    static func mismatch(_ job: ImportJob, given: Int64) -> Problem {
        Problem(
            .conflict, code: "mismatching-upload-offset",
            detail: "\(job.received) bytes of the file are here, not \(given): go on there",
            fields: ["Upload-Offset": "\(job.received)", "Upload-Complete": "?0"])
    }

    static let completed = Problem(
        .conflict, code: "completed-upload", detail: "the file is complete: nothing can be added")
    static let inconsistentLength = Problem(
        .badRequest, code: "inconsistent-upload-length",
        detail: "the file's length is another one than was said, or than there is")
}
