use super::check::commands_with_shards;
use super::*;
use std::process::{Command, Stdio};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn options(job: SlurmJob) -> SlurmOptions {
    SlurmOptions {
        tasks: 16,
        cores: 8,
        memory: "8G".to_owned(),
        time: "12:00:00".to_owned(),
        partition: Some("short".to_owned()),
        account: None,
        program: "/opt/my tools/monteverde".to_owned(),
        job,
    }
}

/// Whether a shell can read it.
fn is_script(text: &str) -> bool {
    let mut shell = Command::new("sh").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    shell.wait().unwrap().success()
}

const HEAD: &str = "\
#!/bin/sh
#SBATCH --job-name=monteverde
#SBATCH --array=1-16
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=8G
#SBATCH --time=12:00:00
#SBATCH --partition=short
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=monteverde-%A_%a.log
#SBATCH --signal=B:TERM@120

program='/opt/my tools/monteverde'
";

#[test]
fn shards_are_tasks_of_an_array() {
    let job = |text| SlurmJob::Shards { words: words(text), folder: PathBuf::from("it's here") };
    let text = script(&options(job("match mcc mcc:c=0.5 --games 10")));
    assert!(text.starts_with(HEAD), "{text}");
    let command = r#""$program" match mcc mcc:c=0.5 --games 10 \
  --shard "$shard/16" --out "$folder/shard-$shard.mvs" --concurrency "$SLURM_CPUS_PER_TASK" &"#;
    assert!(text.contains(command), "{text}");
    assert!(text.contains(r"folder='it'\''s here'"), "{text}");
    assert!(text.contains("scontrol requeue \"$SLURM_JOB_ID\""), "{text}");
    assert!(is_script(&text), "{text}");
    let given = script(&options(job("match a b --concurrency=2")));
    assert!(given.contains("b --concurrency=2 \\"), "{given}");
    assert!(!given.contains("$SLURM_CPUS_PER_TASK"), "{given}");
    let playouts = script(&options(job("playouts --count 10M")));
    assert!(playouts.contains(".mvs\" --threads \"$SLURM_CPUS_PER_TASK\" &"), "{playouts}");
}

/// They call the cores --threads, and 'monteverde import' refuses their files.
#[test]
fn shards_of_training_games_are_files_to_train_with() {
    for command in ["selfplay --games 4 --nodes 10", "label --data a.mvd --nodes 10"] {
        assert_eq!(check(command), Ok(()));
        let job = SlurmJob::Shards { words: words(command), folder: PathBuf::from("shards") };
        let text = script(&options(job));
        let added = r#"--out "$folder/shard-$shard.mvd" --threads "$SLURM_CPUS_PER_TASK" &"#;
        assert!(text.contains(added), "{text}");
        assert!(
            text.contains("monteverde data shards/*.mvd") && !text.contains("import"),
            "{text}"
        );
        assert!(is_script(&text), "{text}");
    }
}

/// What the script adds to each command is what this command takes.
#[test]
fn every_command_with_shards_takes_the_words_of_the_script() {
    let names = commands_with_shards(&crate::games());
    for name in &names {
        let added = added_words(&words(name), TaskValues { shard: "1/1", file: "f", cores: "1" });
        let mut command = crate::cli::command(&crate::games());
        let own = name.split(' ').fold(&mut command, |command, name| {
            command.find_subcommand_mut(name).expect("a command")
        });
        for option in added.iter().filter_map(|word| word.strip_prefix("--")) {
            let is_taken = own.get_arguments().any(|arg| arg.get_long() == Some(option));
            assert!(is_taken, "{name} --{option}");
        }
    }
    assert!(names.contains(&"label".to_owned()) && names.contains(&"experiment run".to_owned()));
}

#[test]
fn workers_are_told_before_their_time_is_up() {
    let given =
        words("worker --slurm --nats nats://lab:4222 --array 9 --mem=2G --threads 3 --run x");
    let kept = worker_words(given).unwrap();
    assert_eq!(kept, words("worker --nats nats://lab:4222 --run x"));
    let text = script(&options(SlurmJob::Worker(kept)));
    assert!(text.starts_with(HEAD), "{text}");
    let command =
        r#""$program" worker --nats nats://lab:4222 --run x --threads "$SLURM_CPUS_PER_TASK" &"#;
    assert!(text.contains(command), "{text}");
    assert!(text.contains("kill -TERM") && text.ends_with("exit \"$code\"\n"), "{text}");
    assert!(is_script(&text), "{text}");
    for secret in ["--nats-token=abc", "--nats-password abc"] {
        let error =
            worker_words(words(&format!("worker --slurm {secret}"))).unwrap_err().to_string();
        assert!(error.contains("a script would show it") && !error.contains("abc"), "{error}");
    }
}

#[test]
fn what_slurm_would_not_take_is_refused() {
    for time in ["90", "12:00:00", "2-0", "1-12:30", "30:00"] {
        assert!(parse_time(time).is_ok(), "{time}");
    }
    for time in ["", "0", "0:00", "1h", "1:2:3:4", "-1", "1-", "1:", "+5", "5\n#SBATCH --x"] {
        assert!(parse_time(time).is_err(), "{time}");
    }
    for memory in ["500", "500M", "16G", "1T"] {
        assert!(parse_memory(memory).is_ok(), "{memory}");
    }
    for memory in ["", "0", "16GB", "G", "-1G", "1.5G", "+1G", "1G\n"] {
        assert!(parse_memory(memory).is_err(), "{memory}");
    }
    assert!(parse_name("long,short").is_ok());
    assert!(parse_name("a b").is_err() && parse_name("").is_err() && parse_name("a\n").is_err());
}

fn check(text: &str) -> Result<(), String> {
    let args = Args {
        shards: 2,
        out: PathBuf::from("shards"),
        job: JobArgs {
            cores: None,
            mem: None,
            time: None,
            partition: None,
            account: None,
            program: None,
        },
        command: words(text),
    };
    check_command(&crate::games(), &args).map_err(|error| error.to_string())
}

#[test]
fn a_command_that_has_no_shards_is_refused() {
    assert_eq!(check("match mcc mcc --games 2 --iterations 1"), Ok(()));
    assert_eq!(check("experiment run mcc-mating --scale paper"), Ok(()));
    for (text, sentence) in [
        ("match mcc mcc --games 2 --store a.db", "--store is set by the script"),
        ("match mcc mcc --games 2 --shard=1/2", "--shard is set by the script"),
        ("perft --depth 3", "it cannot be run as shards: unexpected argument '--shard'"),
        ("perft --depth 3", "commands that can: playouts, match, tournament, "),
        ("match mcc", "the following required arguments were not provided: --games <N>, <B>"),
        ("selfplay --games 4", "were not provided: --nodes <N>"),
        ("match mcc mcc --games 2 --nats nats://lab", "--nats is for runs that share"),
        ("match mcc mcc --games 2 --pgn=a.pgn", "--pgn would let all tasks write to one file"),
        ("mtach mcc mcc", "it cannot be run as shards: unrecognized subcommand"),
    ] {
        let error = check(text).unwrap_err();
        assert!(error.contains(sentence), "{error}");
    }
}
