use super::*;
use crate::{field, field_or_off, switch};

#[derive(Clone, PartialEq, Debug)]
struct Lamp {
    lit: Switch,
    colour: &'static str,
    watts: u64,
    dim: Option<f64>,
    timer: Option<u64>,
}

const BASE: Lamp = Lamp { lit: Switch::On, colour: "white", watts: 40, dim: None, timer: None };

type S = Setting<Lamp>;

const TABLE: &[S] = &[
    S::flag("lit", switch!(lit: Switch::On, Switch::Off)).means("Whether it shines."),
    S::word(
        "colour",
        among(
            &["white", "red"],
            |lamp| Some(lamp.colour),
            |lamp, word| {
                lamp.colour = word;
                lamp.dim = (word == "red").then(|| lamp.dim.unwrap_or(0.5));
            },
        ),
    )
    .means("Its colour."),
    S::whole("watts", 1..=100, field!(watts)).means("Its power."),
    S::real("dim", 0.0..=1.0, by(|lamp| lamp.dim, |lamp, dim| lamp.dim = Some(dim)))
        .needs("colour=red")
        .means("How much of it is let through."),
    S::whole_or_off("timer", 0..=60, field_or_off!(timer)).means("When it goes out."),
];

fn check(text: &str) -> Result<String, SpecError> {
    let mut lamp = BASE;
    parse(TABLE, text, &mut lamp)?;
    let printed = print(TABLE, &BASE, &lamp);
    let mut again = BASE;
    if !printed.is_empty() {
        parse(TABLE, &printed, &mut again)?;
    }
    assert_eq!(again, lamp, "'{text}' is printed as '{printed}'");
    Ok(printed)
}

#[test]
fn what_is_printed_is_what_differs_in_the_order_of_the_table() {
    for (text, printed) in [
        ("lit", ""),
        ("no-lit", "no-lit"),
        ("watts=40", ""),
        ("watts=060", "watts=60"),
        ("dim=0.25,watts=60,no-lit,colour=red", "no-lit,colour=red,watts=60,dim=0.25"),
        (" colour = red , dim = 5e-1 ", "colour=red"),
        ("colour=red,dim=-0", "colour=red,dim=0"),
        ("timer=off", ""),
        ("timer=0", "timer=0"),
    ] {
        assert_eq!(check(text).as_deref(), Ok(printed), "{text}");
    }
}

#[test]
fn each_mistake_has_its_error() {
    let known = vec!["lit", "colour", "watts", "dim", "timer"];
    for (text, error) in [
        ("", SpecError::EmptySetting),
        ("lit,,no-lit", SpecError::EmptySetting),
        ("lit,no-lit", SpecError::Duplicate { key: "lit" }),
        ("watts=1,watts=1", SpecError::Duplicate { key: "watts" }),
        ("lit=yes", SpecError::ValueForFlag { key: "lit", value: "yes".to_owned() }),
        ("no-lit=", SpecError::ValueForFlag { key: "lit", value: String::new() }),
        ("dim=0.5", SpecError::Needs { key: "dim", needs: "colour=red" }),
        (
            "color=red",
            SpecError::UnknownKey {
                key: "color".to_owned(),
                nearest: Some("colour"),
                owners: vec![],
                known: known.clone(),
            },
        ),
        (
            "no-watts",
            SpecError::UnknownKey {
                key: "no-watts".to_owned(),
                nearest: Some("watts"),
                owners: vec![],
                known,
            },
        ),
        ("colour", SpecError::MissingValue { key: "colour", accepted: "white, red".to_owned() }),
        (
            "watts=101",
            SpecError::BadValue {
                key: "watts",
                value: "101".to_owned(),
                accepted: "a whole number from 1 to 100".to_owned(),
            },
        ),
        (
            "timer=61",
            SpecError::BadValue {
                key: "timer",
                value: "61".to_owned(),
                accepted: "a whole number from 0 to 60, or off".to_owned(),
            },
        ),
        (
            "colour=red,dim=NaN",
            SpecError::BadValue {
                key: "dim",
                value: "NaN".to_owned(),
                accepted: "a number from 0 to 1".to_owned(),
            },
        ),
    ] {
        assert_eq!(check(text), Err(error), "{text}");
    }
}

#[test]
fn settings_of_a_game_stand_where_they_say() {
    let own = [
        S::whole("beam", 0..=9, field!(watts)).after("colour"),
        S::whole("cord", 0..=9, field!(watts)),
        S::whole("base", 0..=9, field!(watts)).after("colour"),
    ];
    let all = merged(TABLE.to_vec(), &own);
    let names: Vec<_> = all.iter().map(|setting| setting.name).collect();
    assert_eq!(names, ["lit", "colour", "beam", "base", "watts", "dim", "timer", "cord"]);
}

#[test]
#[should_panic(expected = "there are two settings 'dim'")]
fn a_name_is_taken_once() {
    merged(TABLE.to_vec(), &[S::whole("dim", 0..=9, field!(watts))]);
}

#[test]
#[should_panic(expected = "'beam' stands behind 'socket', which is no setting")]
fn a_setting_stands_behind_one_that_there_is() {
    merged(TABLE.to_vec(), &[S::whole("beam", 0..=9, field!(watts)).after("socket")]);
}
