//! Foreign text made harmless.

/// Text for an HTML or SVG element or a quoted attribute.
pub(super) fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match visible(character) {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Text inside a line of Markdown, such as a table cell.
pub(super) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.trim().chars() {
        let character = visible(character);
        if matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$'
        ) {
            safe.push('\\');
        }
        safe.push(if character == '\n' { ' ' } else { character });
    }
    safe
}

/// Text that is a paragraph of Markdown, on one line.
pub(super) fn markdown_line(text: &str) -> String {
    let mut safe = markdown(text);
    // What would begin a heading, a list, a rule or an underline.
    if safe.starts_with(['#', '+', '-', '=']) {
        safe.insert(0, '\\');
    }
    // A number with a full stop begins a list, and only the stop can be escaped.
    let digits = safe.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &safe[digits..];
    if digits > 0 && (rest.starts_with(". ") || rest.starts_with(") ")) {
        safe.insert(digits, '\\');
    }
    safe
}

/// Characters that are invisible or turn the direction of writing would let a name pass for
/// another, and some are not allowed in a document at all.
fn visible(character: char) -> char {
    match character {
        '\n' => '\n',
        '\t' => ' ',
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        control if control.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_text_cannot_leave_its_place() {
        assert_eq!(
            html("<script>alert('x')</script> & \"y\"\0"),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;\u{fffd}"
        );
        assert_eq!(html("a\u{202e}b"), "a\u{fffd}b");
    }

    #[test]
    fn markdown_text_stays_text() {
        assert_eq!(markdown("a|b `c` *d* _e_"), "a\\|b \\`c\\` \\*d\\* \\_e\\_");
        assert_eq!(markdown("[x](y) <b> \\ ~z~ $1$"), "\\[x\\](y) \\<b\\> \\\\ \\~z\\~ \\$1\\$");
        assert_eq!(markdown_line("  # no heading\nsecond"), "\\# no heading second");
        assert_eq!(markdown_line("- no list"), "\\- no list");
        assert_eq!(markdown_line("12. no list"), "12\\. no list");
        assert_eq!(markdown_line("0.5 is a number"), "0.5 is a number");
        assert_eq!(markdown("mcc:c=0.5"), "mcc:c=0.5");
    }
}
