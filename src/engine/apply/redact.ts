/** A device may repeat what it was sent; a secret never travels further because of that. */
const MASK = '••••••';
/** Shorter texts occur by chance in any message. */
const SHORTEST = 3;

/** A deep copy in which none of the secrets can be read. */
export function redact<T>(value: T, secrets: readonly string[]): T {
  const hidden = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellings);
  return hidden.length === 0 ? value : clean(value, hidden) as T;
}

/** Longest first: an escaped spelling holds the plain one. */
function spellings(secret: string): readonly string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  return [...new Set([base64, xml, json, encodeURIComponent(secret.toWellFormed()), secret])].sort((a, b) => b.length - a.length);
}

function clean(value: unknown, hidden: readonly string[]): unknown {
  if (typeof value === 'string') return hidden.reduce((text, secret) => text.replaceAll(secret, MASK), value);
  if (Array.isArray(value)) return value.map((item) => clean(item, hidden));
  if (typeof value !== 'object' || value === null) return value;
  // A body of an exchange that was cut may end with the beginning of a secret.
  const whole = !('cut' in value && value.cut === true);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, whole || typeof item !== 'string' ? clean(item, hidden) : maskEnd(clean(item, hidden), hidden)]));
}

/** The text without the beginning of a secret at its end. */
function maskEnd(text: unknown, hidden: readonly string[]): unknown {
  if (typeof text !== 'string') return text;
  const most = Math.max(0, ...hidden.map((secret) => beginningAtEnd(text, secret)));
  return most === 0 ? text : text.slice(0, -most) + MASK;
}

/** How many characters at the end of the text begin the secret. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST; length -= 1) if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
