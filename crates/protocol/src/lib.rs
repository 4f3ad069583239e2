//! UCI for chess
