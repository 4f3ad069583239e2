//! The result of a piece as it travels.

use super::piece::Product;
use serde::{Deserialize, Serialize};
use std::io::Read;

/// A product is compressed this much: the library's own default.
const COMPRESSION: i32 = 3;

/// A result that unpacks to more than this is refused.
const LONGEST_RESULT: u64 = 32 << 20;

/// The result of a task.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResultText {
    /// The worker, as it calls itself.
    pub worker: String,
    /// What came out, or why nothing did.
    pub product: Result<Product, String>,
}

impl ResultText {
    /// As it travels.
    pub fn pack(&self) -> Vec<u8> {
        let json = serde_json::to_vec(self).expect("a result is plain data");
        zstd::bulk::compress(&json, COMPRESSION).expect("memory can be compressed")
    }

    /// Reads a message, which may be anything.
    pub fn unpack(body: &[u8]) -> Result<ResultText, String> {
        let mut json = Vec::new();
        let read = zstd::stream::Decoder::with_buffer(body)
            .and_then(|decoder| decoder.take(LONGEST_RESULT + 1).read_to_end(&mut json));
        match read {
            Err(error) => return Err(format!("it cannot be unpacked: {error}")),
            Ok(_) if json.len() as u64 > LONGEST_RESULT => {
                return Err(format!("it unpacks to more than {} MiB", LONGEST_RESULT >> 20));
            }
            Ok(_) => {}
        }
        let mut result: ResultText = serde_json::from_slice(&json)
            .map_err(|error| format!("it is no result that this program knows: {error}"))?;
        result.worker = shown(&result.worker);
        result.product = result.product.map_err(|problem| shown(&problem));
        Ok(result)
    }
}

/// A text of somebody else's as people may see it: without control characters, and not endless.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut shown: String = text.chars().filter(|c| !c.is_control()).take(LONGEST + 1).collect();
    if let Some((end, _)) = shown.char_indices().nth(LONGEST) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Findings;

    #[test]
    fn results_travel() {
        let product = Product::Findings(Findings::Endings(Vec::new()));
        for product in [Ok(product), Err("no".to_owned())] {
            let result = ResultText { worker: "w".to_owned(), product };
            let read = ResultText::unpack(&result.pack()).unwrap();
            assert_eq!((read.worker, read.product), (result.worker, result.product));
        }
    }

    #[test]
    fn what_is_no_result_is_refused() {
        let zeros = vec![0u8; 40 << 20];
        let bomb = zstd::bulk::compress(&zeros, 3).unwrap();
        assert!(bomb.len() < 1 << 20);
        assert!(ResultText::unpack(&bomb).unwrap_err().contains("more than 32 MiB"));
        for text in [&b""[..], b"garbage", b"{}"] {
            assert!(ResultText::unpack(text).is_err());
            let packed = zstd::bulk::compress(text, 3).unwrap();
            assert!(ResultText::unpack(&packed).is_err());
        }
        let cut = ResultText { worker: String::new(), product: Err(String::new()) }.pack();
        assert!(ResultText::unpack(&cut[..cut.len() - 1]).is_err());
    }
}
