/** Makes a template of what a flow set on a device. It captures like from a device, but reads the journal. */
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { isPlain } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { appError } from '#shared/errors.ts';
import type { FlowTemplate } from '#shared/flows.ts';
import { captureSection, type SectionCapture } from '../template/capture/capture-section.ts';
import { captureText, type CaptureHead } from '../template/capture/capture-text.ts';
import type { Effect } from './effects.ts';
import type { KeptSetting } from './setting.ts';
import type { KeptWrite } from './step-writes.ts';
import { getSpecifiedResource } from '../operations/specified.ts';

/**
 * Builds the template. `effects`: all of one device, oldest first. Secrets are not in it.
 * @throws `not-supported` if the flow set nothing that a template can hold
 */
export function buildFlowTemplate(effects: readonly Effect[], head: CaptureHead): FlowTemplate {
  const settings = merged(effects.flatMap(writtenSetting));
  const captures = settings.map(captureOf);
  if (captures.every(({ value }) => value === undefined))
    throw appError('not-supported', say('flow-no-settings'), { device: head.url });
  const { text, summary, sections, values } = captureText(captures, head);
  return { text, summary, sections, values };
}

function writtenSetting({ key, value }: Effect): readonly KeptSetting[] {
  if (!key.startsWith('write:') || key.endsWith('#sent')) return [];
  const { setting, written } = value as Partial<KeptWrite>;
  const isSet = written?.outcome !== 'unknown';
  return setting === undefined || !isSet || Object.keys(setting.value).length === 0 ? [] : [setting];
}

/** Merges the settings, one for each place; the later one counts. */
function merged(settings: readonly KeptSetting[]): readonly KeptSetting[] {
  const places = new Map<string, KeptSetting>();
  for (const setting of settings) {
    const place = encodeCanonicalJson([setting.set, setting.params ?? {}]);
    const before = places.get(place);
    places.set(place, {
      ...setting,
      value: over(before?.value ?? {}, setting.value) as KeptSetting['value'],
    });
  }
  return [...places.values()];
}

function over(below: unknown, above: unknown): unknown {
  if (!isPlain(below) || !isPlain(above)) return above;
  return Object.fromEntries(
    [...new Set([...Object.keys(below), ...Object.keys(above)])].map((name) => [
      name,
      Object.hasOwn(above, name) ? over(below[name], above[name]) : below[name],
    ]),
  );
}

/**
 * Captures only the values that were set, unless they mean nothing without the rest (a number that needs its
 * mode beside it).
 */
function captureOf({ set, params = {}, value, whole }: KeptSetting): SectionCapture {
  const resource = getSpecifiedResource(set);
  const capture = (of: unknown): SectionCapture =>
    captureSection(resource, { kind: 'value', params, value: of, unlisted: [] });
  const part = capture(value);
  return part.section.left.some(({ reason }) => reason === 'invalid' || reason === 'inactive')
    ? capture(whole)
    : part;
}
