import { hash } from 'node:crypto';

/** In hexadecimal digits, of the text in UTF-8. */
export function hashSha256(text: string): string {
  return hash('sha256', text, 'hex');
}
