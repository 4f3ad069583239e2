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
    let command = r#""$program" match mcc mcc:c=0.5 --games 10 --concurrency "$SLURM_CPUS_PER_TASK" \
  --shard "$shard/16" --out "$folder/shard-$shard.mvs" &"#;
    assert!(text.contains(command), "{text}");
    assert!(text.contains(r"folder='it'\''s here'"), "{text}");
    assert!(text.contains("scontrol requeue \"$SLURM_JOB_ID\""), "{text}");
    assert!(is_script(&text), "{text}");
    let given = script(&options(job("match a b --concurrency=2")));
    assert!(given.contains("b --concurrency=2 \\"), "{given}");
    let playouts = script(&options(job("playouts --count 10M")));
    assert!(playouts.contains("10M --threads \"$SLURM_CPUS_PER_TASK\""), "{playouts}");
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

#[test]
fn a_command_that_has_no_shards_is_refused() {
    let games = crate::games();
    let check = |text: &str| {
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
        check_command(&games, &args).map_err(|error| error.to_string())
    };
    assert_eq!(check("match mcc mcc --games 2 --iterations 1"), Ok(()));
    assert_eq!(check("experiment run mcc-mating --scale paper"), Ok(()));
    for (text, sentence) in [
        ("match mcc mcc --games 2 --store a.db", "--store is set by the script"),
        ("match mcc mcc --games 2 --shard=1/2", "--shard is set by the script"),
        ("perft --depth 3", "it cannot be run as shards: unexpected argument '--shard'"),
        ("match mcc --games 2", "it cannot be run as shards: "),
        ("mtach mcc mcc", "it cannot be run as shards: unrecognized subcommand"),
    ] {
        let error = check(text).unwrap_err();
        assert!(error.contains(sentence), "{error}");
    }
}
