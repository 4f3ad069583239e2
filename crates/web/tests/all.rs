//! Every test of this crate from outside, in one program: another would be linked with everything
//! once more. A file that is not named here is found by `monteverde/tests/named.rs`.

mod bounds;
mod common;
mod http;
mod lab;
mod memory;
mod play;
mod robust;
