//! What is left on the clocks of both colours.

use monteverde_banqi::Colour;
use std::time::Duration;

/// The clocks of a game; without any where nothing was said of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clocks {
    /// What each side has for a game.
    main: Option<Duration>,
    /// What is left to each colour.
    left: [Option<Duration>; 2],
}

impl Clocks {
    /// Each side has so much for this game and those to come.
    pub(super) fn set(&mut self, main: Option<Duration>) {
        *self = Clocks { main, left: [main; 2] };
    }

    /// A new game begins.
    pub(super) fn restart(&mut self) {
        self.left = [self.main; 2];
    }

    /// A colour has so much left.
    pub(super) fn tell(&mut self, colour: Colour, left: Duration) {
        self.left[colour as usize] = Some(left);
    }

    /// What a colour has left. Where only the other colour's time is known, or nobody knows yet who
    /// has which colour, the less of both is assumed.
    pub(super) fn left(&self, colour: Option<Colour>) -> Option<Duration> {
        let own = colour.and_then(|colour| self.left[colour as usize]);
        own.or_else(|| self.left.into_iter().flatten().min())
    }

    /// A colour has thought for so long. Before the colours are known the time is taken from both:
    /// only one of them will turn out to be the engine's.
    pub(super) fn spend(&mut self, colour: Option<Colour>, time: Duration) {
        for one in Colour::ALL.into_iter().filter(|&one| colour.is_none_or(|colour| colour == one))
        {
            let left = &mut self.left[one as usize];
            *left = left.map(|left| left.saturating_sub(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn time_is_counted_down_and_told() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.left(Some(Colour::Red)), None);
        clocks.set(Some(ms(1000)));
        clocks.spend(None, ms(100));
        assert_eq!(clocks.left(Some(Colour::Black)), Some(ms(900)));
        clocks.spend(Some(Colour::Black), ms(300));
        assert_eq!(clocks.left(Some(Colour::Black)), Some(ms(600)));
        assert_eq!(clocks.left(None), Some(ms(600)));
        clocks.tell(Colour::Black, ms(550));
        assert_eq!(clocks.left(Some(Colour::Black)), Some(ms(550)));
        assert_eq!(clocks.left(Some(Colour::Red)), Some(ms(900)));
        clocks.spend(Some(Colour::Black), ms(5000));
        assert_eq!(clocks.left(Some(Colour::Black)), Some(Duration::ZERO));
        clocks.restart();
        assert_eq!(clocks.left(Some(Colour::Black)), Some(ms(1000)));
        clocks.set(None);
        assert_eq!(clocks.left(Some(Colour::Red)), None);
        clocks.tell(Colour::Red, ms(7));
        assert_eq!(clocks.left(Some(Colour::Black)), Some(ms(7)));
    }
}
