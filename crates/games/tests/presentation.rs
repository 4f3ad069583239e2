//! What pages are told of our games beside their states.

use monteverde_game::Game;
use monteverde_games::games;
use monteverde_players::AnyGame;
use monteverde_players::presentation::{EditorField, Subject};
use std::collections::HashMap;

const CHINESE: &str = "zh-Hant";

fn chinese(game: AnyGame) -> HashMap<&'static str, &'static str> {
    let presentation = game.presentation();
    let tables = presentation
        .words
        .iter()
        .filter(|table| table.language == CHINESE && table.subject == Subject::Words);
    tables.flat_map(|table| table.words.iter().copied()).collect()
}

#[test]
fn titles_sides_and_pieces_have_chinese_names() {
    for game in games().iter() {
        let words = chinese(game);
        let start = game.start();
        let mut said = vec![game.title().to_owned(), game.about().to_owned()];
        said.extend(start.sides().map(|side| side.name.into_owned()));
        if let Some(board) = start.board() {
            said.extend(board.pieces.iter().map(|piece| piece.name.clone().into_owned()));
            said.extend(board.pool.title.map(|title| title.into_owned()));
        }
        let editor = game.presentation().editor.unwrap_or_default();
        said.extend(editor.pieces.iter().map(|piece| piece.name.clone().into_owned()));
        for field in &editor.fields {
            let (title, options) = match field {
                EditorField::Choice { title, options } => (title, &options[..]),
                EditorField::Flags { title, options, .. } => (title, &options[..]),
                EditorField::Text { title, .. } => (title, &[][..]),
                EditorField::Fixed { .. } => continue,
            };
            said.push((*title).to_owned());
            said.extend(options.iter().map(|option| option.name.to_owned()));
        }
        // Letters are no words of any language.
        let missing: Vec<&String> = said
            .iter()
            .filter(|word| word.len() > 1 && !words.contains_key(word.as_str()))
            .collect();
        assert!(missing.is_empty(), "{}: {missing:?}", game.name());
    }
}

/// The squares and the fields of an editor are those of the state text, so that a start that is put
/// together by them is the start.
#[test]
fn an_editor_has_the_fields_of_the_state_text() {
    let all = games();
    let with_editor = all.iter().filter_map(|game| Some((game, game.presentation().editor?)));
    let mut names = Vec::new();
    for (game, editor) in with_editor {
        let start = game.start();
        let text = start.state_text();
        let mut fields = text.split(' ');
        let squares = fields.next().expect("a state has squares");
        let letters: Vec<&str> = editor.pieces.iter().map(|piece| &*piece.look.letter).collect();
        for letter in squares.chars().filter(|letter| letter.is_alphabetic()) {
            assert!(letters.contains(&&*letter.to_string()), "{}: {letter}", game.name());
        }
        for (index, field) in editor.fields.iter().enumerate() {
            let value =
                fields.next().unwrap_or_else(|| panic!("{} has no field {index}", game.name()));
            let is_possible = match field {
                EditorField::Choice { options, .. } => {
                    options.iter().any(|option| option.text == value)
                }
                EditorField::Flags { options, none, .. } => {
                    value == *none
                        || value.chars().all(|letter| {
                            options.iter().any(|option| option.text == letter.to_string())
                        })
                }
                EditorField::Text { .. } => true,
                EditorField::Fixed { text } => value == *text,
            };
            assert!(is_possible, "{}, field {index}: {value}", game.name());
        }
        assert_eq!(fields.next(), None, "{}", game.name());
        names.push(game.name());
    }
    assert_eq!(names, ["chess", "loa", "banqi"]);
}

#[test]
fn every_opening_can_be_played_and_has_a_chinese_name() {
    let mut lines = 0;
    for game in games().iter() {
        let (words, openings) = (chinese(game), game.presentation().openings);
        for (index, (line, name)) in openings.iter().enumerate() {
            let mut state = game.start();
            for text in line.split(' ') {
                let mv = state.parse_move(text).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(state.move_text(mv), text, "{name}");
                state.play(mv);
            }
            assert!(words.contains_key(name), "{name}");
            assert!(openings[index + 1..].iter().all(|(other, _)| other != line), "{name} twice");
            lines += 1;
        }
    }
    assert!(lines > 50);
}
