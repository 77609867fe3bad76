import Glibc
import Primitives

@testable import Security

/// The bytes of a hexadecimal literal.
func octets(_ text: String) -> [UInt8] { bytes(hex: text)! }

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

/// Every way of changing one byte of the input.
func tampered(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.indices.map { index in
        var changed = bytes
        changed[index] ^= 1 << UInt8(index % 8)
        return changed
    }
}

/// A directory of its own below the system's temporary one, gone afterwards.
func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/trackme-security-XXXXXX".utf8CString)
    let path = String(cString: mkdtemp(&template)!)
    defer {
        let stream = opendir(path)!
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            unlink("\(path)/\(name)")
        }
        closedir(stream)
        rmdir(path)
    }
    try body(path)
}

func write(_ text: String, to path: String, mode: mode_t = 0o600) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    precondition(descriptor >= 0)
    precondition(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    close(descriptor)
    chmod(path, mode)
}
