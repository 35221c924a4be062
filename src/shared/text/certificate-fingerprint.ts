/** A SHA-256 fingerprint in lower-case hex as people compare it: `AB:CD:…`. */
export function showFingerprint(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join(':');
}
