import { hash } from 'node:crypto';

/** Returns the hash of the text in UTF-8, in hexadecimal digits. */
export function hashSha256(text: string): string {
  return hash('sha256', text, 'hex');
}
