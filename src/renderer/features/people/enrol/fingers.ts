/** Ten fingers as they lie on a table, and the numbers they get: a device knows only 1 to 10. */
const HANDS = ['left', 'right'] as const;
type Hand = (typeof HANDS)[number];
const FINGERS = ['thumb', 'index', 'middle', 'ring', 'little'] as const;
type Finger = (typeof FINGERS)[number];

export interface DrawnFinger {
  readonly number: number;
  readonly hand: Hand;
  readonly finger: Finger;
  /** Middle of its base, in units of the drawing. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly length: number;
  /** Degrees, clockwise. */
  readonly turn: number;
}

export const DRAWING = { width: 700, height: 304 } as const;

type Shape = readonly [x: number, y: number, width: number, length: number, turn: number];
const RIGHT: Readonly<Record<Finger, Shape>> = {
  thumb: [450, 214, 42, 104, -48],
  index: [478, 160, 40, 124, -9],
  middle: [520, 150, 40, 140, -2],
  ring: [562, 154, 40, 126, 5],
  little: [602, 170, 36, 98, 13],
};

/**
 * Right hand 1 to 5 from the thumb, left hand 6 to 10: older readers keep low numbers only, and most people enrol the
 * fingers of the right hand first.
 */
export const DRAWN: readonly DrawnFinger[] = HANDS.flatMap((hand) =>
  FINGERS.map((finger, index): DrawnFinger => {
    const [x, y, width, length, turn] = RIGHT[finger];
    const isRight = hand === 'right';
    return {
      number: index + (isRight ? 1 : 6),
      hand,
      finger,
      x: isRight ? x : DRAWING.width - x,
      y,
      width,
      length,
      turn: isRight ? turn : -turn,
    };
  }),
);

/** Fingers from left to right, the order of the arrow keys. */
export const IN_ORDER: readonly DrawnFinger[] = DRAWN.toSorted(
  (a, b) =>
    a.x +
    Math.sin((a.turn * Math.PI) / 180) * a.length -
    (b.x + Math.sin((b.turn * Math.PI) / 180) * b.length),
);

/** Those that are proposed: they read best and are used most. */
const PROPOSED: readonly Finger[] = ['index', 'middle', 'thumb'];

/** The first proposed finger that is not enrolled yet; of the right hand first, whose numbers every reader keeps. */
export function findNextFinger(enrolled: ReadonlySet<number>): number | undefined {
  const proposed = DRAWN.filter(({ finger }) => PROPOSED.includes(finger)).toSorted(
    (a, b) =>
      HANDS.indexOf(b.hand) - HANDS.indexOf(a.hand) ||
      PROPOSED.indexOf(a.finger) - PROPOSED.indexOf(b.finger),
  );
  return [...proposed, ...DRAWN].find(({ number }) => !enrolled.has(number))?.number;
}
