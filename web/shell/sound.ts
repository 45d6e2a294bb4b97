// The sound of a fill: two short tones. It has no file, so nothing is loaded for it.
import { sounds } from '../session/preferences.ts';

const TONES = [
  [660, 0],
  [880, 0.09],
] as const;
const SECONDS = 0.12;
const VOLUME = 0.08;

let context: AudioContext | undefined;

/** Browsers play nothing before the first click or key on the page. */
export function playSound(): void {
  context ??= new AudioContext();
  const { currentTime: now, destination } = context;
  for (const [frequency, after] of TONES) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(VOLUME, now + after);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + after + SECONDS);
    tone.connect(gain).connect(destination);
    tone.start(now + after);
    tone.stop(now + after + SECONDS);
  }
}

export const playIfOn = (): void => {
  if (sounds.get() === 'on') playSound();
};
