import Glibc

/// A directory with an authority and certificates for the services, made with the `openssl` program.
struct TestAuthority {
    let directory: String

    init() throws {
        var template = Array("/tmp/trackme-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestCertificates.Unavailable(reason: "mkdtemp: \(errno)") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            try makeAuthority("ca")
            try makeAuthority("other")
            for name in ["accounts", "ingestion", "query", "dispatcher", "track4run"] {
                try make(name, signedBy: "ca")
            }
            try make("foreign", signedBy: "other")
            try make("expired", signedBy: "ca", days: "-1")
        } catch {
            remove()
            throw error
        }
    }

    /// Deletes the files and the directory.
    func remove() {
        guard let listing = opendir(directory) else { return }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { unlink("\(directory)/\(name)") }
        }
        closedir(listing)
        rmdir(directory)
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    private func makeAuthority(_ name: String) throws {
        try openssl(
            ["req", "-x509", "-days", "2", "-subj", "/CN=TrackMe test \(name)"] + Self.newKey + [
                "-keyout", "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem",
            ])
    }

    private func make(_ name: String, signedBy authority: String, days: String = "2") throws {
        let request = "\(directory)/\(name).csr"
        try openssl(
            ["req", "-new", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)"] + Self.newKey + [
                "-keyout", "\(directory)/\(name).key", "-out", request,
            ])
        try openssl([
            "x509", "-req", "-in", request, "-days", days, "-copy_extensions", "copy",
            "-CA", "\(directory)/\(authority).pem", "-CAkey", "\(directory)/\(authority).key", "-CAcreateserial",
            "-out", "\(directory)/\(name).pem",
        ])
    }

    private func openssl(_ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child = pid_t()
        let code = posix_spawnp(&child, "openssl", &actions, nil, &argv, environ)
        guard code == 0 else { throw TestCertificates.Unavailable(reason: "openssl: \(code)") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw TestCertificates.Unavailable(reason: "openssl \(arguments.joined(separator: " ")): \(status)")
        }
    }
}
