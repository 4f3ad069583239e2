// Sounds of the board, made here; off until somebody asks for them.

import { keep } from './keep.js';

let context = null;

/** Whether sounds are wanted. */
export const hasSound = () => keep.get('sound') === 'on';

/** Turns sounds on or off; turning them on is heard. */
export function setSound(isOn) {
  keep.set('sound', isOn ? 'on' : 'off');
  if (isOn) play('move');
}

/** The sound of what has changed between two states of the game, if there is one. */
export function soundOf(before, after) {
  const last = after.history.at(-1);
  const isNew = last && before?.game === after.game && before.start === after.start && !before.history.some(({ node }) => node === last.node);
  if (!hasSound() || !isNew) return;
  if (after.outcome) play('end');
  else if (after.position.check) play('check');
  else if (last?.event) play('flip');
  else play(last?.captured ? 'capture' : 'move');
}

// Each sound is a few tones: pitch in hertz, when it begins and how long it lasts in seconds, how loud.
const SOUNDS = {
  move: [[220, 0, 0.07, 0.5], [440, 0, 0.03, 0.2]],
  capture: [[160, 0, 0.1, 0.7], [320, 0.03, 0.08, 0.4]],
  flip: [[500, 0, 0.05, 0.3], [700, 0.06, 0.06, 0.3]],
  check: [[660, 0, 0.09, 0.4], [880, 0.09, 0.12, 0.4]],
  end: [[392, 0, 0.2, 0.4], [494, 0.16, 0.2, 0.4], [587, 0.32, 0.4, 0.4]],
};

function play(name) {
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  const now = context.currentTime;
  for (const [pitch, begin, length, loudness] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { type: 'triangle', frequency: pitch });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, now + begin);
    gain.gain.linearRampToValueAtTime(loudness * 0.3, now + begin + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0005, now + begin + length);
    tone.connect(gain).connect(context.destination);
    tone.start(now + begin);
    tone.stop(now + begin + length);
  }
  document.documentElement.dataset.sounded = name; // for whoever listens by eye
}
