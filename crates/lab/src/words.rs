//! Command lines of engines as words.

/// Why a command line is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the quote {quote} at character {at} of '{text}' has no end; a word with blanks is written in '...' or in \
     \"...\", a quote itself in quotes of the other kind"
)]
pub struct WordsError {
    /// What was given.
    pub text: String,
    /// The quote that is never closed.
    pub quote: char,
    /// Where it is, from 1.
    pub at: usize,
}

/// The words of a command line, which blanks separate. What stands in `'...'` or `"..."` is kept as
/// it is, blanks and all; there is no other way to quote, so that a backslash is a backslash.
pub fn split(text: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    // `Some` once a word has begun: a pair of quotes with nothing in it is a word, too.
    let mut word: Option<String> = None;
    let mut characters = text.chars().zip(1..);
    while let Some((character, at)) = characters.next() {
        match character {
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some((end, _)) if end == quote => break,
                        Some((inside, _)) => word.push(inside),
                        None => return Err(WordsError { text: text.to_owned(), quote, at }),
                    }
                }
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

/// The command line of some words, quoted where they need it: [`split`] reads the same words.
pub fn join(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| quoted(word.as_ref())).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && c != '\'' && c != '"';
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // A single quote stands in double quotes, all else in single ones.
    let parts: Vec<String> = word.split('\'').map(|part| format!("'{part}'")).collect();
    parts.join("\"'\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blanks_separate_and_quotes_keep() {
        for (text, words) in [
            ("", &[][..]),
            ("  a \t b ", &["a", "b"]),
            ("'a b' c", &["a b", "c"]),
            (r#""it's" 'say "so"'"#, &["it's", r#"say "so""#]),
            ("x' y'z", &["x yz"]),
            ("''", &[""]),
            (r"C:\engines\sf.exe", &[r"C:\engines\sf.exe"]),
            (r#""C:\my engines\sf.exe""#, &[r"C:\my engines\sf.exe"]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
    }

    #[test]
    fn an_open_quote_is_named() {
        let error = split("sf 'my net").unwrap_err();
        assert_eq!((error.quote, error.at), ('\'', 4));
        assert!(error.to_string().contains("'...' or in \"...\""), "{error}");
        assert_eq!(split("a\"b'c").unwrap_err().quote, '"');
    }

    proptest! {
        #[test]
        fn what_is_joined_is_split(words in proptest::collection::vec("[a ' \"\\\\é]{0,6}", 0..5)) {
            prop_assert_eq!(split(&join(&words)).unwrap(), words);
        }
    }
}
