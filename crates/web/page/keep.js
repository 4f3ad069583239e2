// What a user prefers, from visit to visit.

/** Keeps what a user prefers from visit to visit; does without where the browser forbids it. */
export const keep = {
  get(key, otherwise = null) {
    try {
      return localStorage.getItem(`monteverde.${key}`) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`monteverde.${key}`, value);
    } catch {
      // Private windows may forbid it; nothing depends on it.
    }
  },
};
