//! Pages of the documentation as HTML.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// The page that some Markdown makes; `depth` is how many folders it lies below that of the
/// documentation.
pub(crate) fn page(markdown: &str, depth: usize) -> String {
    let title = markdown.lines().next().unwrap_or_default().trim_start_matches('#').trim();
    let mut body = String::new();
    html::push_html(&mut body, events(markdown, depth).into_iter());
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"/docs.css\">\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn events(markdown: &str, depth: usize) -> Vec<Event<'_>> {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    // What lies outside the folder is not served: such a link is its words alone.
    let mut is_outside = false;
    events.retain_mut(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            is_outside = dest_url.split('/').take_while(|part| *part == "..").count() > depth;
            if let Some(url) = to_html(dest_url) {
                *dest_url = url;
            }
            !is_outside
        }
        Event::End(TagEnd::Link) => !std::mem::take(&mut is_outside),
        _ => true,
    });
    events
}

/// Pages link to each other's sources.
fn to_html(url: &str) -> Option<CowStr<'static>> {
    let (name, anchor) = url.split_once(".md")?;
    let is_ours = !url.contains("://") && (anchor.is_empty() || anchor.starts_with('#'));
    is_ours.then(|| CowStr::from(format!("{name}.html{anchor}")))
}

/// Gives headings the names that links to them have.
fn name_headings(events: &mut [Event<'_>]) {
    for index in 0..events.len() {
        if !matches!(events[index], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let inside = events[index + 1..].iter();
        let inside = inside.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let words: String = inside
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            })
            .collect();
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[index] {
            *id = Some(anchor(&words).into());
        }
    }
}

/// The name of a heading, as code hosts make it: small letters, hyphens for blanks, nothing else
/// but digits and underscores.
fn anchor(words: &str) -> String {
    let letters = words.chars().flat_map(char::to_lowercase);
    let letters = letters.filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The links of a page to others, with the name of a heading where they have one; and the names of
/// its own headings.
#[cfg(test)]
pub(crate) fn links_and_headings(markdown: &str) -> (Vec<String>, Vec<String>) {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    name_headings(&mut events);
    let (mut links, mut headings) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { id: Some(id), .. }) => headings.push(id.to_string()),
            // Pages that are made from data name their sections themselves.
            Event::Html(text) | Event::InlineHtml(text) => {
                let ids = text.split("id=\"").skip(1);
                headings.extend(ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
            }
            _ => {}
        }
    }
    (links, headings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_names() {
        let page = page("# What `best` is, *now*\n\n[there](#what-best-is-now)\n", 0);
        assert!(page.contains("<h1 id=\"what-best-is-now\">What <code>best</code>"), "{page}");
        assert!(page.contains("<title>What `best` is, *now*</title>"), "{page}");
    }

    #[test]
    fn links_lead_to_pages_that_are_served() {
        let links = "[a](b.md#c) [d](../e.md) [f](https://g.org/h.md) [i](../../j.md)";
        let page = page(links, 1);
        for part in ["href=\"b.html#c\"", "href=\"../e.html\"", "href=\"https://g.org/h.md\""] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        assert!(page.contains("</a> i</p>"), "{page}");
    }
}
