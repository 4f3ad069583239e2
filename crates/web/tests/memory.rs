//! What the server has of memory when its clients have gone.
#![cfg(all(target_os = "linux", target_env = "gnu"))] // whose allocator is told what to keep

use crate::common::{Running, resident};
use monteverde_web::Options;
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};

/// Names the process in which a test measures its own memory.
const MEASURES: &str = "MONTEVERDE_TEST_MEASURES";
const CLIENTS: usize = 16;
const ROUNDS: usize = 4;
/// What the process may have more than before. Its clients had two tables of 16 MiB each, and the
/// allocator of the GNU C library would keep one or two in each of its arenas.
const MORE: usize = 48 << 20;
/// How long the server may take to notice that its clients have gone.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn memory_is_given_back_when_all_clients_have_gone() {
    if std::env::var_os(MEASURES).is_none() {
        // Other tests of this process take memory, too.
        let mut own = Command::new(std::env::current_exe().unwrap());
        own.args(["--exact", "memory::memory_is_given_back_when_all_clients_have_gone"]);
        let done = own.env(MEASURES, "1").output().unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let server = Running::as_program(Options { cores: 2, ..Options::default() });
    let play = || {
        let engine = json!({ "player": "ab:depth=2", "pace": "depth=2" });
        let mut client = server.patient_client();
        client.send(json!({ "type": "new", "game": "chess", "seats": [engine, engine] }));
        // Both sides have moved.
        client.wait(|message| message["type"] == "state" && message["ply"].as_u64() > Some(2));
    };
    play();
    wait_for_nobody(&server);
    let (before, mut most) = (resident(), 0);
    for _ in 0..ROUNDS {
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(play)).collect();
            while clients.iter().any(|client| !client.is_finished()) {
                most = most.max(resident());
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        wait_for_nobody(&server);
    }
    let (more, most) = [resident(), most].map(|bytes| bytes.saturating_sub(before)).into();
    assert!(most > MORE, "the clients had so little that nothing is seen: {} MiB", most >> 20);
    assert!(more < MORE, "{} of {} MiB are kept", more >> 20, most >> 20);
}

fn wait_for_nobody(server: &Running) {
    let start = Instant::now();
    while server.get_json("/api/about")["sessions"] != 0 {
        assert!(start.elapsed() < PATIENCE, "sessions are left");
        std::thread::sleep(Duration::from_millis(10));
    }
}
