/** Settings that a device is to hand on: those that it showed last, and above them those that were agreed. */
import type { CapturedSection } from '#shared/template/authoring.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { isPlain, removeAt } from '#protocol/index.ts';
import { readAgreed, type AgreedSection } from '../agreement/agreed-sections.ts';
import { captureDocuments } from '../snapshots/capture-documents.ts';
import { noteWritten, readDocumentsAt } from '../snapshots/document-versions.ts';
import type { Store } from '../store/index.ts';
import { getSectionKey, type ResolvedSection } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { combineErrors } from '../template/check/problems.ts';
import { resolveTemplate } from '../template/values/resolve.ts';

export interface OldSettings {
  readonly sections: readonly ResolvedSection[];
  /** Results of capturing them: settings that could not be kept, and why. */
  readonly captured: readonly CapturedSection[];
  /** ISO 8601: when the device was last seen; absent if it never was. */
  readonly seenAt?: string;
}

interface Captured {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly sections: readonly CapturedSection[];
}

export function readOldSettings(store: Store, device: Device): OldSettings {
  const seen = readSeen(store, device);
  const sections = new Map(
    (seen === undefined ? [] : resolveSections(seen)).map((section) => [
      getSectionKey(section.set, section.params),
      section,
    ]),
  );
  for (const agreed of readAgreed(store, [device.id]).get(device.id) ?? []) {
    const key = getSectionKey(agreed.set, agreed.params);
    const section = addAgreed(sections.get(key), agreed);
    if (section !== undefined) sections.set(key, section);
  }
  return {
    sections: [...sections.values()],
    captured: seen?.sections ?? [],
    ...(seen === undefined ? {} : { seenAt: seen.at }),
  };
}

/** Returns the last documents of the device as a template; undefined if none of them is a setting. */
function readSeen(store: Store, device: Device): (Captured & { readonly at: string }) | undefined {
  noteWritten(store, device.id);
  const documents = readDocumentsAt(store, device.id, '9999');
  const at = documents.reduce((last, { until }) => (until > last ? until : last), '');
  try {
    return { ...captureDocuments(device, documents), at };
  } catch (error) {
    if (error instanceof FieldwrightError && error.shape.code === 'not-supported') return undefined;
    throw error;
  }
}

function resolveSections({ text, values }: Captured): readonly ResolvedSection[] {
  const { document, errors } = parseTemplate(text);
  if (document === undefined) throw combineErrors(errors);
  const resolved = resolveTemplate(document, { values, secrets: {}, needSecrets: false });
  if (!resolved.ok) throw combineErrors(resolved.errors);
  return resolved.sections;
}

/** Returns the section with its agreed values; items that were agreed alone, without their list, are as they were seen. */
function addAgreed(seen: ResolvedSection | undefined, { parts }: AgreedSection): ResolvedSection | undefined {
  return parts.reduce((section: ResolvedSection | undefined, { section: part }) => {
    const own = [...part.open, ...(part.change ?? []).map(({ path }) => path)].reduce<unknown>(
      (value, path) => removeAt(value, path),
      part.value,
    );
    if (own === undefined) return section;
    const { change: _items, ...bare } = section ?? part;
    return { ...bare, open: new Set(), value: section === undefined ? own : overlay(section.value, own) };
  }, seen);
}

function overlay(below: unknown, above: unknown): unknown {
  if (!isPlain(below) || !isPlain(above)) return above;
  const both = Object.entries(above).map(([name, value]) => [name, overlay(below[name], value)]);
  return { ...below, ...Object.fromEntries(both) };
}
