//! What runs on many machines do, where the server was told of them.

use crate::fault::HttpFault;
use crate::server::App;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A picture of workers and runs is this old at most; many who look cost one question.
const FRESH: Duration = Duration::from_secs(2);

/// How workers and runs are looked at.
type Look = dyn FnMut() -> Result<Value, String> + Send;

/// A view of workers and runs on other machines.
#[derive(Clone)]
pub struct ClusterView(Arc<Mutex<LastLook>>);

struct LastLook {
    look: Box<Look>,
    last: Option<(Instant, Value)>,
}

impl ClusterView {
    /// A view that is looked at with a function, which may take a second.
    pub fn new(look: impl FnMut() -> Result<Value, String> + Send + 'static) -> ClusterView {
        ClusterView(Arc::new(Mutex::new(LastLook { look: Box::new(look), last: None })))
    }

    /// What is to be seen, or why nothing is.
    fn see(&self) -> Value {
        let mut view = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, seen)) = &view.last
            && at.elapsed() < FRESH
        {
            return seen.clone();
        }
        let seen = match (view.look)() {
            Ok(picture) => picture,
            Err(problem) => json!({ "error": problem }),
        };
        view.last = Some((Instant::now(), seen.clone()));
        seen
    }
}

impl fmt::Debug for ClusterView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClusterView")
    }
}

impl PartialEq for ClusterView {
    fn eq(&self, other: &ClusterView) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ClusterView {}

/// Workers and runs; nothing where the server knows of none.
pub(crate) async fn cluster(State(app): State<Arc<App>>) -> Result<Json<Value>, HttpFault> {
    let Some(view) = app.options.cluster.clone() else {
        return Ok(Json(json!({ "cluster": null })));
    };
    let seen = app.reading.run(move || Ok(json!({ "cluster": view.see() }))).await;
    seen.map(Json)
}
