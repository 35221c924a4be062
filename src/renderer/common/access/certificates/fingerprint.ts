/** Fingerprints in the form that eyes compare: sixteen groups of four digits, four in a line. */
const GROUP = 4;

/** `9F86 D081 …` as single groups; what is no fingerprint comes back as it is. */
export function splitFingerprint(hex: string): readonly string[] {
  return (
    hex
      .replace(/[^0-9a-f]/gi, '')
      .toUpperCase()
      .match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []
  );
}

/** Returns the positions of the groups that differ between the two fingerprints. */
export function findDifferingGroups(hex: string, other: string): ReadonlySet<number> {
  const theirs = splitFingerprint(other);
  return new Set(splitFingerprint(hex).flatMap((group, index) => (group === theirs[index] ? [] : [index])));
}
