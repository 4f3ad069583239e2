//! The files that the program carries in itself: the page, and the documentation that it links to.
//!
//! They are part of the program in every profile, so that what is tested is what is served.

use crate::fault::HttpFault;
use crate::markdown;
use crate::server::App;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use monteverde_desk::Code;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::sync::Arc;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

#[derive(RustEmbed)]
// A link to the folder of the repository, so that packages hold it too.
#[folder = "docs/"]
struct Docs;

/// A file of the page, or of the documentation.
pub(crate) async fn file(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, HttpFault> {
    let path = uri.path().trim_start_matches('/').to_owned();
    let find = move || {
        let found = match path.strip_prefix("docs/") {
            Some(path) => document(path),
            None => {
                let path = if path.is_empty() { "index.html" } else { &path };
                Page::get(path).map(|file| FoundFile::new(path, file))
            }
        };
        found.ok_or_else(|| HttpFault::new(Code::NotFound, format!("there is no '/{path}' here")))
    };
    Ok(app.work.run(find).await?.answer(&headers))
}

/// Whether there is a page about a technique.
pub(crate) fn has_technique(id: &str) -> bool {
    Docs::get(&format!("techniques/{id}.md")).is_some()
}

/// A file and what a browser must know of it.
struct FoundFile {
    content_type: &'static str,
    tag: String,
    body: Vec<u8>,
}

impl FoundFile {
    fn new(path: &str, file: EmbeddedFile) -> FoundFile {
        let content_type = content_type(path);
        FoundFile { content_type, tag: tag(&file), body: file.data.into_owned() }
    }

    /// Browsers ask every time, and are told if nothing has changed: a new version of the program
    /// is seen at once.
    fn answer(self, headers: &HeaderMap) -> Response {
        let kept =
            headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == self.tag.as_bytes());
        let about = [(ETAG, self.tag), (CACHE_CONTROL, "no-cache".to_owned())];
        if kept {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        ([(CONTENT_TYPE, self.content_type)], about, self.body).into_response()
    }
}

/// A page of the documentation: `x.md` as it is, `x.html` made from it.
fn document(path: &str) -> Option<FoundFile> {
    let Some(name) = path.strip_suffix(".html") else {
        return Docs::get(path).map(|file| FoundFile::new(path, file));
    };
    let file = Docs::get(&format!("{name}.md"))?;
    let depth = name.matches('/').count();
    let body = markdown::page(&String::from_utf8_lossy(&file.data), depth).into_bytes();
    Some(FoundFile { content_type: content_type(path), tag: tag(&file), body })
}

fn tag(file: &EmbeddedFile) -> String {
    let hash: String =
        file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hash}\"")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        "md" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_desk::catalogue;
    use std::fs;
    use std::path::Path;

    /// The page said nothing of the rules of games that few people know.
    #[test]
    fn games_link_to_their_rules() {
        let games = catalogue::games(&monteverde_games::games(), &has_technique);
        let rules = |name: &str| {
            let mut games = games["games"].as_array().unwrap().iter();
            games.find(|game| game["name"] == name).unwrap()["rules"].as_str()
        };
        for (game, words) in [("loa", "as many squares as"), ("banqi", "jumps over exactly one")] {
            let path = rules(game).unwrap().strip_prefix("/docs/").unwrap();
            let page = String::from_utf8(document(path).unwrap().body).unwrap();
            assert!(page.contains(words) && page.contains("<img src=\"figures/"), "{game}: {page}");
        }
        assert_eq!(rules("chess"), None);
    }

    /// Every link of the documentation leads to a file, and to a heading of it where it names one.
    #[test]
    fn links_between_pages_lead_somewhere() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs"));
        let read = |path: &Path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            markdown::links_and_headings(&text)
        };
        let mut wrong = Vec::new();
        for name in Docs::iter().filter(|name| name.ends_with(".md")) {
            let page = root.join(&*name);
            for link in read(&page).0.iter().filter(|link| !link.contains("://")) {
                let (file, heading) = link.split_once('#').unwrap_or((link, ""));
                let target = match file {
                    "" => page.clone(),
                    file => page.parent().unwrap().join(file),
                };
                let is_there = target.exists()
                    && (heading.is_empty() || read(&target).1.iter().any(|one| one == heading));
                if !is_there {
                    wrong.push(format!("{name}: {link}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// Whoever looks for a page finds it in `docs/README.md`, or in the index of its folder.
    #[test]
    fn every_page_is_in_an_index() {
        let links = |index: &str| match Docs::get(index) {
            Some(file) => markdown::links_and_headings(&String::from_utf8_lossy(&file.data)).0,
            None => Vec::new(),
        };
        let all = links("README.md");
        let is_page = |name: &str| name.ends_with(".md") && !name.ends_with("README.md");
        for name in Docs::iter().filter(|name| is_page(name)) {
            let (folder, file) = name.rsplit_once('/').unwrap_or(("", &name));
            let of_folder = links(&format!("{folder}/README.md"));
            let is_listed =
                all.iter().any(|link| *link == *name) || of_folder.iter().any(|link| link == file);
            assert!(is_listed, "docs/{name} is in no index; docs/README.md is the place for it");
        }
    }

    #[test]
    fn settings_link_to_pages_that_are_there() {
        let games = catalogue::games(&monteverde_games::games(), &has_technique);
        let settings = games["games"][0]["settings"]["search"].as_array().unwrap();
        let page = |name: &str| {
            let setting = settings.iter().find(|setting| setting["name"] == name).unwrap();
            setting["page"].as_str()
        };
        assert_eq!(page("c"), Some("/docs/techniques/uct.html"));
        assert_eq!(page("bias-count"), Some("/docs/techniques/bias.html"));
        assert_eq!(page("leaf-check"), Some("/docs/techniques/solver.html"));
        assert_eq!(page("seed"), None);
        for id in catalogue::named_pages() {
            assert!(has_technique(id), "{id}");
        }
    }
}
