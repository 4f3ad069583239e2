//! How blocks of a table's file are compressed.

use std::io;

/// Zstandard's level; higher ones take several times as long for a few per cent.
#[cfg(not(target_family = "wasm"))]
const LEVEL: i32 = 9;

/// A block, compressed.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn compress(block: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(block, LEVEL)
}

/// Decompresses a block into the buffer; how many bytes it has.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn decompress(packed: &[u8], buffer: &mut [u8]) -> io::Result<usize> {
    zstd::bulk::decompress_to_buffer(packed, buffer)
}

/// There are no files in a browser.
#[cfg(target_family = "wasm")]
pub(crate) fn compress(_: &[u8]) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There are no files in a browser.
#[cfg(target_family = "wasm")]
pub(crate) fn decompress(_: &[u8], _: &mut [u8]) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}
