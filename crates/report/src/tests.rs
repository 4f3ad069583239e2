use super::*;
use monteverde_statistics::{
    Crosstable, Fit, Model, Precision, Wdl, elo, los, normalised_elo, rate, score,
};

/// A report with every kind of part, its numbers from the golden table of the ratings.
pub(super) fn everything() -> ReportData {
    ReportData {
        title: "Everything & <more>".to_owned(),
        summary: vec!["A report with every kind of part.".to_owned()],
        sections: vec![
            Section {
                title: "Four players".to_owned(),
                text: vec!["A round robin.".to_owned()],
                parts: vec![Part::Contest(contest())],
                reproduce: Some(Reproduce {
                    facts: vec![
                        ("Build".to_owned(), "0.1.0 (f29d480)".to_owned()),
                        ("Seed".to_owned(), "7".to_owned()),
                    ],
                    commands: vec!["monteverde tournament four.toml --store four.db".to_owned()],
                }),
                ..Section::default()
            },
            Section {
                title: "A sweep".to_owned(),
                parts: vec![Part::Plot(sweep()), Part::Plot(names())],
                ..Section::default()
            },
            Section {
                title: "Beside the paper".to_owned(),
                id: "beside".to_owned(),
                findings: vec!["Ours are <b>fewer</b>.".to_owned()],
                notes: vec!["- A remark".to_owned()],
                parts: vec![
                    Part::Claims(vec![claim()]),
                    Part::Comparison(comparison()),
                    Part::Table(table()),
                    Part::Commands(Commands {
                        caption: "Again".to_owned(),
                        lines: vec!["monteverde match 'a b' c".to_owned()],
                    }),
                ],
                ..Section::default()
            },
        ],
    }
}

fn contest() -> ContestReport {
    let names = ["mcc-hp-see:epsilon=0.4", "mcc:c=0.5", "mcc", "<script>alert(1)</script>|`x`"];
    let games = [
        (0, 1, Wdl::new(7, 6, 4)),
        (1, 0, Wdl::new(5, 7, 5)),
        (0, 2, Wdl::new(8, 4, 5)),
        (2, 0, Wdl::new(6, 5, 6)),
        (1, 2, Wdl::new(6, 6, 5)),
        (2, 1, Wdl::new(6, 5, 6)),
        (0, 3, Wdl::new(9, 3, 4)),
        (3, 0, Wdl::new(4, 5, 7)),
    ];
    let mut crosstable = Crosstable::new(4);
    for (first, second, results) in games {
        crosstable.add(first, second, results);
    }
    let ratings = rate(&crosstable, Model::default(), Fit::Nothing, Precision::AsBayesElo)
        .expect("the default model");
    let between = |player, opponent| {
        let games = crosstable.between(player, opponent);
        (games.games() > 0).then_some(games)
    };
    let all = || 0..names.len();
    let meetings =
        all().flat_map(|player| all().skip(player + 1).map(move |other| (player, other)));
    let meetings = meetings.filter_map(|(player, opponent)| {
        let games = between(player, opponent)?;
        Some(Meeting {
            player,
            opponent,
            games,
            pairs: (player == 0).then_some([2, 3, 5, 4, 3]),
            score: score(games).expect("games").into(),
            elo: elo(games).into(),
            normalised_elo: normalised_elo(games).into(),
            los: Some(los(games)),
            digest: (player == 0).then(|| "0123456789ab".to_owned()),
        })
    });
    ContestReport {
        caption: "Ratings".to_owned(),
        parameters: Some([32.8, 97.3]),
        facts: vec![
            ("Game".to_owned(), "chess".to_owned()),
            ("Pace".to_owned(), "iterations=200".to_owned()),
            ("Openings".to_owned(), "4 random plies".to_owned()),
        ],
        players: all()
            .map(|player| Contender {
                name: names[player].to_owned(),
                spec: String::new(),
                rating: ratings.elo(player).into(),
                games: crosstable.total(player),
            })
            .collect(),
        results: all().map(|i| all().map(|j| between(i, j)).collect()).collect(),
        los: all().map(|i| all().map(|j| ratings.los(i, j)).collect()).collect(),
        meetings: meetings.collect(),
        endings: vec![("checkmate".to_owned(), 90), ("fifty-moves".to_owned(), 44)],
        failures: vec![FailureCount {
            player: names[3].to_owned(),
            reason: "time-loss".to_owned(),
            games: 2,
            void: false,
        }],
        commands: vec!["monteverde match mcc mcc:c=0.5 --games 34".to_owned()],
    }
}

fn sweep() -> Plot {
    let texts: Vec<String> = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0].map(|c| c.to_string()).into();
    let (x, places) = Axis::fitting("Exploration constant c", &texts);
    let series = |name: &str, shift: f64| Series {
        name: name.to_owned(),
        points: places
            .iter()
            .enumerate()
            .map(|(index, &x)| Point {
                x,
                y: Interval::around(0.45 + shift - 0.02 * (index as f64 - 3.0).powi(2), 0.03),
            })
            .collect(),
    };
    Plot {
        caption: "Score against mcc".to_owned(),
        x,
        y: Axis { label: "Score".to_owned(), scale: AxisScale::Linear },
        series: vec![
            series("200 iterations", 0.0),
            series("800 iterations", 0.06),
            series("3200 iterations", 0.13),
        ],
        reference: Some(Reference { y: 0.5, label: "equal".to_owned() }),
    }
}

fn names() -> Plot {
    let texts = ["visits".to_owned(), "mean".to_owned(), "secure".to_owned()];
    let (x, places) = Axis::fitting("Final move by", &texts);
    let series = |name: &str, value: f64| Series {
        name: name.to_owned(),
        points: places.iter().map(|&x| Point { x, y: Interval::around(value + x, 4.0) }).collect(),
    };
    Plot {
        caption: "Elo by the choice of the final move".to_owned(),
        x,
        y: Axis { label: "Elo".to_owned(), scale: AxisScale::Linear },
        series: vec![series("a", 3.0), series("b", -2.0)],
        reference: None,
    }
}

fn claim() -> Claim {
    Claim {
        claim: "Heavy playouts help.".to_owned(),
        name: "epsilon=0.6".to_owned(),
        paper: "153".to_owned(),
        ours: "140 ± 20".to_owned(),
        sample: "1,000 games".to_owned(),
        scale: "standard".to_owned(),
        standing: Standing::Measured(Verdict::Agrees),
        section: "beside".to_owned(),
    }
}

fn comparison() -> Comparison {
    let row = |name: &str, paper: f64, ours: f64, verdict| Compared {
        name: name.to_owned(),
        paper: Interval::around(paper, 62.0),
        ours: Interval::around(ours, 20.0),
        sample: 1_000,
        verdict,
        error: PaperError::Stated,
        reason: String::new(),
    };
    Comparison {
        caption: "Heavy playouts".to_owned(),
        quantity: "Elo above mcc".to_owned(),
        source: "Monte Carlo Chess, Table 1".to_owned(),
        sample: "Games".to_owned(),
        decimals: 0,
        rows: vec![
            row("epsilon=0.6", 153.0, 140.0, Verdict::Agrees),
            row("epsilon=0.4", 151.0, -10.0, Verdict::Differs),
            row("epsilon=0.2", 110.0, 60.0, Verdict::Undecided),
        ],
        figure: DotPlot::Drawn,
    }
}

fn table() -> ReportTable {
    ReportTable {
        caption: "Speeds".to_owned(),
        columns: vec![Column::Text("Player".to_owned()), Column::Number("Per second".to_owned())],
        rows: vec![vec!["mcc".to_owned(), "3,300".to_owned()]],
    }
}

#[test]
fn the_page_fetches_and_runs_nothing() {
    let page = html(&everything());
    for forbidden in
        ["<script", "http://", "https://", "src=", "url(", "@import", "<link", "onclick"]
    {
        assert!(!page.contains(forbidden), "the page contains {forbidden}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;|`x`"));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_page_is_well_formed() {
    check_tags(&html(&everything()));
    let mut chapters = everything();
    for section in [0, 1] {
        chapters.sections[section].rank = Rank::Chapter;
    }
    let page = html(&chapters);
    check_tags(&page);
    assert!(page.contains("colspan=\"7\">Heavy playouts help.</th>"), "{page}");
    assert!(page.contains("<h2 id=\"s1\">") && page.contains("<h3 id=\"beside\">"), "{page}");
}

/// Every element is closed in its order.
fn check_tags(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let name = tag.split(['>', ' ', '\n']).next().unwrap_or_default();
        let is_void = ["!doctype", "meta"].contains(&name);
        let is_closed = tag.split('>').next().is_some_and(|inside| inside.ends_with('/'));
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "near {tag}");
        } else if !is_void && !is_closed {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
}

#[test]
fn figures_of_a_page_are_files() {
    let Page { text, figures } = page(&everything(), "pages");
    let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["figure.svg", "figure-2.svg", "beside.svg"]);
    for (name, drawn) in &figures {
        assert!(text.contains(&format!("](pages/{name})")), "{text}");
        assert!(drawn.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{drawn}");
        assert!(drawn.contains("prefers-color-scheme: dark"), "{drawn}");
        check_tags(drawn);
    }
    for part in [
        "<a id=\"beside\"></a>\n\n## Beside the paper",
        "[beside](#beside)",
        "> **Found:** Ours are \\<b\\>fewer",
        "<summary>Again</summary>\n\n```sh\nmonteverde match 'a b' c\n```",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

/// The paper's number and ours stand where their values say.
#[test]
fn dots_stand_at_their_values() {
    let mut one = comparison();
    one.rows.truncate(1);
    let drawn = svg::dots(&one, "caption", 1);
    let places = |class: &str| -> Vec<f64> {
        let marks = drawn.split(&format!("<g class=\"{class}\">")).nth(2).unwrap_or_default();
        let mark = marks.split("class=\"mark\" d=\"M").nth(1).unwrap_or_default();
        mark.split(' ').take(1).map(|x| x.parse().unwrap()).collect()
    };
    let (ours, paper) = (places("s0")[0], places("s1")[0]);
    assert!(ours < paper, "140 stands to the left of 153: {drawn}");
    assert!(drawn.contains("said-agrees"));
}

/// As the papers print it: percentages, cut off.
#[test]
fn superiority_is_truncated() {
    let text = markdown(&everything());
    assert!(text.contains("| 1 | mcc-hp-see:epsilon=0.4 | · | 74 | 78 | 94 |"), "{text}");
    assert!(text.contains("| 1 | mcc-hp-see:epsilon=0.4 | 36 ± 43 | 100 |"), "{text}");
    let page = html(&everything());
    assert!(page.contains("<td class=\"matrix heat h7\">74</td>"));
}

#[test]
fn markdown_tables_keep_their_columns() {
    let text = markdown(&everything());
    assert!(text.contains("\\<script\\>alert(1)\\</script\\>\\|\\`x\\`"));
    let mut columns = None;
    for line in text.lines() {
        let bars = line.replace("\\|", "").matches('|').count();
        match columns {
            _ if !line.starts_with('|') => columns = None,
            None => columns = Some(bars),
            Some(columns) => assert_eq!(columns, bars, "{line}"),
        }
    }
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    assert_eq!(html(&everything()), html(&everything()));
    assert_eq!(markdown(&everything()), markdown(&everything()));
}

/// Ratings of two groups that have not met used to stand in one order.
#[test]
fn players_that_no_games_link_are_ranked_apart() {
    let names = ["unmet", "middling", "worst", "other", "best", "void"].map(str::to_owned);
    let games = |one, two, wins| {
        let games = Wdl::new(wins, 0, 10);
        let reversed = GamesCell { first: two, second: one, games: games.reversed() };
        [GamesCell { first: one, second: two, games }, reversed]
    };
    let mut counts = Counts {
        names: names.to_vec(),
        games: [games(1, 3, 12), games(4, 2, 90)].concat(),
        ..Counts::default()
    };
    let ranked = |counts: &Counts| counts.contest().players.into_iter().map(|player| player.name);
    let order: Vec<_> = ranked(&counts).collect();
    assert_eq!(order, ["middling", "other", "best", "worst", "unmet", "void"]);
    let caption =
        "Ratings; players that no chain of games links are rated apart, each group around 0";
    assert_eq!(counts.contest().caption, caption);
    counts.games.extend(games(4, 1, 30));
    let order: Vec<_> = ranked(&counts).collect();
    assert_eq!(order, ["best", "middling", "other", "worst", "unmet", "void"]);
    assert_eq!(counts.contest().caption, "Ratings", "who has not played is in no group");
}

#[test]
fn empty_parts_do_no_harm() {
    let empty = ReportData {
        sections: vec![Section {
            parts: vec![
                Part::Contest(ContestReport::default()),
                Part::Comparison(Comparison::default()),
                Part::Table(ReportTable::default()),
                Part::Plot(Plot {
                    caption: String::new(),
                    x: Axis { label: String::new(), scale: AxisScale::Log },
                    y: Axis { label: String::new(), scale: AxisScale::Linear },
                    series: vec![Series::default()],
                    reference: None,
                }),
            ],
            ..Section::default()
        }],
        ..ReportData::default()
    };
    assert!(!html(&empty).contains("NaN"));
    assert!(!html(&empty).contains("inf"));
    assert!(markdown(&empty).ends_with('\n'));
}
