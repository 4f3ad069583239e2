//! Void games make room for the games that are played in their place.

use crate::record::Reason;
use crate::task::Key;
use rusqlite::{Connection, OptionalExtension, Row};

/// Removes the game of that key if it is void.
pub(super) fn remove(connection: &Connection, key: &Key) -> rusqlite::Result<()> {
    let mut query = connection.prepare_cached("SELECT id, reason FROM games WHERE key = ?1")?;
    // What cannot be read is not known to be void.
    let read =
        |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1).unwrap_or_default()));
    if let Some((id, reason)) = query.query_row([&key.0[..]], read).optional()?
        && Reason::from(reason).is_void()
    {
        connection.execute("DELETE FROM records WHERE id = ?1", [id])?;
        connection.execute("DELETE FROM games WHERE id = ?1", [id])?;
    }
    Ok(())
}
