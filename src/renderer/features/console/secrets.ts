/** Sensitive values in the console: typed once, sent once, never shown again and never kept. */
import type { Field, Payload } from '#protocol/definition.ts';
import { rootField } from '#protocol/fields/field-at.ts';
import { isPlain, getOwn } from '#protocol/value.ts';
import { MASK } from '#shared/exchange.ts';

/** The value without its sensitive fields, for the history and for after sending. */
export function removeSecretsAndMasks(payload: Payload, value: unknown): unknown {
  return open(rootField(payload), value);
}

function open(field: Field, value: unknown): unknown {
  if (field.kind === 'list' && Array.isArray(value))
    return value.map((item: unknown) => (field.item.sensitive === true ? null : open(field.item, item)));
  if (field.kind !== 'object' || !isPlain(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, held] of Object.entries(value)) {
    const inner = field.fields.find((candidate) => candidate.name === name);
    if (inner?.sensitive === true || holdsMask(held)) continue;
    Object.defineProperty(out, name, {
      value: inner === undefined ? held : open(inner, held),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return out;
}

/** Returns whether a value was masked by the device; it must not be sent back. */
function holdsMask(value: unknown): boolean {
  return typeof value === 'string' && value.includes(MASK);
}

/** The value as text in which sensitive fields that are filled in show only that they are. */
export function formatMaskedBody(payload: Payload, value: unknown): string {
  return JSON.stringify(hide(rootField(payload), value), null, 2);
}

function hide(field: Field, value: unknown): unknown {
  if (field.sensitive === true && value !== undefined && value !== null && value !== '') return MASK;
  if (field.kind === 'list' && Array.isArray(value))
    return value.map((item: unknown) => hide(field.item, item));
  if (field.kind !== 'object' || !isPlain(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, held] of Object.entries(value)) {
    const inner = field.fields.find((candidate) => candidate.name === name);
    Object.defineProperty(out, name, {
      value: inner === undefined ? held : hide(inner, held),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return out;
}

/**
 * Fills masked places of an edited `formatMaskedBody` text from `held`, so that edits beside a secret keep
 * it.
 */
export function restoreSecrets(held: unknown, read: unknown): unknown {
  if (read === MASK) return typeof held === 'string' || typeof held === 'number' ? held : read;
  if (Array.isArray(read))
    return read.map((item: unknown, index) =>
      restoreSecrets(Array.isArray(held) ? held[index] : undefined, item),
    );
  if (!isPlain(read)) return read;
  const out: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(read)) {
    Object.defineProperty(out, name, {
      value: restoreSecrets(isPlain(held) ? getOwn(held, name) : undefined, item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return out;
}
