/** Passwords and keys made here. */
import { randomBytes, randomInt } from 'node:crypto';

/** Nothing that looks like something else on a label: no 0 O, 1 l I. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function generatePassword(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Base64 of so many random bytes. */
export function generateKey(bytes: number): string {
  return randomBytes(bytes).toString('base64');
}
