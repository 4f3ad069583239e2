//! A game's own settings, among those that all players have and that know no game.

use std::any::Any;
use std::fmt;

/// What a game's own settings may be: any plain value with a default.
pub trait Own: Any + Clone + PartialEq + Default + fmt::Debug + Send + Sync {}

impl<T: Any + Clone + PartialEq + Default + fmt::Debug + Send + Sync> Own for T {}

/// A game's own settings without their type. As long as nobody has changed them they are the
/// default of whatever type they are asked for.
#[derive(Default)]
pub struct OwnSettings(Option<Box<dyn Erased>>);

impl OwnSettings {
    /// These.
    pub fn new<T: Own>(own: T) -> OwnSettings {
        OwnSettings(Some(Box::new(own)))
    }

    /// A copy of them.
    ///
    /// # Panics
    /// If they are of another type, which is to say of another game.
    pub fn get<T: Own>(&self) -> T {
        match self.0.as_deref() {
            Some(own) => own.any().downcast_ref::<T>().expect(ONE_GAME).clone(),
            None => T::default(),
        }
    }

    /// Them, to be changed.
    ///
    /// # Panics
    /// As [`OwnSettings::get`].
    pub fn get_mut<T: Own>(&mut self) -> &mut T {
        let own = self.0.get_or_insert_with(|| Box::new(T::default()));
        (**own).any_mut().downcast_mut().expect(ONE_GAME)
    }
}

const ONE_GAME: &str = "settings are asked for by the game whose they are";

impl Clone for OwnSettings {
    fn clone(&self) -> Self {
        OwnSettings(self.0.as_deref().map(Erased::duplicate))
    }
}

impl PartialEq for OwnSettings {
    /// Settings that nobody has changed are equal to the default of any type.
    fn eq(&self, other: &Self) -> bool {
        match (self.0.as_deref(), other.0.as_deref()) {
            (Some(own), Some(other)) => own.is_equal(other.any()),
            (Some(own), None) | (None, Some(own)) => own.is_default(),
            (None, None) => true,
        }
    }
}

impl fmt::Debug for OwnSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(own) => own.fmt(f),
            None => f.write_str("default"),
        }
    }
}

trait Erased: fmt::Debug + Send + Sync {
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
    fn duplicate(&self) -> Box<dyn Erased>;
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn is_default(&self) -> bool;
}

impl<T: Own> Erased for T {
    fn any(&self) -> &dyn Any {
        self
    }
    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn duplicate(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
    fn is_default(&self) -> bool {
        *self == T::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_default_until_they_are_changed() {
        let mut own = OwnSettings::default();
        assert_eq!(own.get::<u32>(), 0);
        assert_eq!(own, OwnSettings::new(0_u32));
        *own.get_mut::<u32>() = 7;
        let copy = own.clone();
        assert_eq!((copy.get::<u32>(), &copy), (7, &own));
        assert_ne!(own, OwnSettings::default());
        *own.get_mut::<u32>() = 0;
        assert_eq!(own, OwnSettings::default());
        assert_ne!(own, copy);
    }

    #[test]
    #[should_panic(expected = "by the game whose they are")]
    fn they_have_one_type() {
        OwnSettings::new(1_u32).get::<u64>();
    }
}
