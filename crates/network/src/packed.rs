//! Packed files: a network's file in half the bytes, for programs that bring one.
//!
//! Most weights fit a byte, so that their high bytes are nearly all alike. All bytes at even places
//! come first, then those at odd places, compressed by deflate. What was packed comes back bit for
//! bit: digests are those of the plain file.

use crate::Network;
use crate::file::{MOST_BYTES, NetworkError};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::borrow::Cow;

/// What a packed file begins with.
const MAGIC: &[u8] = b"monteverde packed network 1\n";
/// A network is packed once and read often.
const LEVEL: u8 = 9;

/// Packs the contents of a network's file.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>, NetworkError> {
    Network::read(bytes)?;
    let plain = unpacked(bytes)?;
    let (even, odd) = (plain.iter().step_by(2), plain.iter().skip(1).step_by(2));
    let planes: Vec<u8> = even.chain(odd).copied().collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend((plain.len() as u32).to_le_bytes());
    bytes.extend(compress_to_vec_zlib(&planes, LEVEL));
    Ok(bytes)
}

/// The plain contents of a file that may be packed.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, NetworkError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return Ok(Cow::Borrowed(bytes)) };
    let wrong = |problem: String| NetworkError::Packed(problem);
    let (length, rest) =
        rest.split_first_chunk().ok_or_else(|| wrong("it is cut short".to_owned()))?;
    let length = u32::from_le_bytes(*length);
    if u64::from(length) > MOST_BYTES {
        return Err(wrong(format!("it would have {length} bytes")));
    }
    let planes = decompress_to_vec_zlib_with_limit(rest, length as usize)
        .map_err(|error| wrong(error.to_string()))?;
    if planes.len() != length as usize {
        let found = planes.len();
        return Err(wrong(format!("it has {found} bytes, and {length} are expected")));
    }
    let (even, odd) = planes.split_at(planes.len().div_ceil(2));
    let plain = (0..planes.len()).map(|at| if at % 2 == 0 { even[at / 2] } else { odd[at / 2] });
    Ok(Cow::Owned(plain.collect()))
}
