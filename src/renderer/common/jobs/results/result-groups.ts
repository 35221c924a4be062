import type { DeviceResult, SectionOutcome, SectionResult } from '../../../../shared/model.ts';
import { ATTENTION, shownOutcome, type ShownOutcome } from '../../../../shared/outcomes.ts';

/** Devices that ended in the same way. */
export interface ResultGroup {
  readonly key: string;
  readonly devices: readonly DeviceResult[];
  readonly sections: readonly SectionResult[];
  /** The outcome that wants most attention. */
  readonly worst: ShownOutcome;
}

/** Equal for devices that fared alike. */
export function resultKey(result: DeviceResult): string {
  return JSON.stringify([
    result.state === 'failed' ? (result.error?.code ?? 'failed') : 'done',
    result.sections.map(({ set, params, outcome, error, status, note }) => [
      set,
      params,
      outcome,
      note,
      error?.code,
      error?.path,
      status?.subStatusCode ?? error?.status?.subStatusCode,
    ]),
  ]);
}

export function worstOutcome(result: DeviceResult): ShownOutcome {
  if (result.state === 'failed' && result.sections.every((section) => section.outcome === 'pending'))
    return 'failed';
  const outcomes = new Set(result.sections.map(shownOutcome));
  return (
    ATTENTION.find((outcome) => outcomes.has(outcome)) ?? (result.state === 'failed' ? 'failed' : 'pending')
  );
}

export function groupOf(key: string, devices: readonly DeviceResult[]): ResultGroup {
  const first = devices[0] as DeviceResult;
  return { key, devices, sections: first.sections, worst: worstOutcome(first) };
}

/** Those that want attention first. */
export function inOrderOfAttention(groups: Iterable<ResultGroup>): readonly ResultGroup[] {
  return [...groups].sort(
    (a, b) => ATTENTION.indexOf(a.worst) - ATTENTION.indexOf(b.worst) || b.devices.length - a.devices.length,
  );
}

/** Sections of all devices with one outcome, by section: what was accepted but not seen to be effective, … */
export function sectionsWith(
  results: Iterable<DeviceResult>,
  outcome: SectionOutcome,
): readonly {
  readonly key: string;
  readonly section: SectionResult;
  readonly devices: readonly DeviceResult[];
}[] {
  const found = new Map<
    string,
    { readonly key: string; readonly section: SectionResult; readonly devices: DeviceResult[] }
  >();
  for (const device of results) {
    for (const section of device.sections) {
      if (section.outcome !== outcome) continue;
      const key = JSON.stringify([section.set, section.params]);
      const entry = found.get(key);
      if (entry === undefined) found.set(key, { key, section, devices: [device] });
      else entry.devices.push(device);
    }
  }
  return [...found.values()];
}
