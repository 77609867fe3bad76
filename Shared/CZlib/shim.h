#pragma once
#include <zlib.h>

// zlib's macro, which Swift does not import. 16 more window bits make it gzip (RFC 1952).
static inline int tm_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int tm_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
// No frame at all (RFC 1951), as in ZIP archives.
static inline int tm_deflate_init_raw(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
static inline int tm_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -15); }
