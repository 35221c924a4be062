import type { DeviceResult, SectionOutcome, SectionResult } from '../../../shared/model.ts';

/** Devices that ended in the same way. */
export interface ResultGroup {
  readonly key: string;
  readonly devices: readonly DeviceResult[];
  readonly sections: readonly SectionResult[];
  /** The outcome that wants most attention. */
  readonly worst: SectionOutcome;
}

/** Most in need of a person first. */
export const ATTENTION: readonly SectionOutcome[] = [
  'refused', 'failed', 'unknown', 'blocked', 'ignored', 'needs-reboot', 'pending', 'accepted', 'effective', 'skipped', 'unchanged',
];
const NOT_DONE: ReadonlySet<SectionOutcome> = new Set(['refused', 'failed', 'unknown', 'blocked', 'ignored', 'pending']);

/** Equal for devices that fared alike. */
export function resultKey(result: DeviceResult): string {
  return JSON.stringify([
    result.state === 'failed' ? (result.error?.code ?? 'failed') : 'done',
    result.sections.map(({ set, params, outcome, error, status, note }) => [set, params, outcome, note, error?.code, error?.path, status?.subStatusCode ?? error?.status?.subStatusCode]),
  ]);
}

export function worstOutcome(result: DeviceResult): SectionOutcome {
  if (result.state === 'failed' && result.sections.every((section) => section.outcome === 'pending')) return 'failed';
  return ATTENTION.find((outcome) => result.sections.some((section) => section.outcome === outcome)) ?? (result.state === 'failed' ? 'failed' : 'pending');
}

export function groupOf(key: string, devices: readonly DeviceResult[]): ResultGroup {
  const first = devices[0] as DeviceResult;
  return { key, devices, sections: first.sections, worst: worstOutcome(first) };
}

/** Those that want attention first. */
export function inOrderOfAttention(groups: Iterable<ResultGroup>): readonly ResultGroup[] {
  return [...groups].sort((a, b) => ATTENTION.indexOf(a.worst) - ATTENTION.indexOf(b.worst) || b.devices.length - a.devices.length);
}

/** Whether a device is not, or not surely, as the template says: what a retry plans again. */
export function isNotDone(result: DeviceResult): boolean {
  return result.state !== 'done' || result.sections.some((section) => NOT_DONE.has(section.outcome));
}


/** Sections of all devices with one outcome, by section: what was accepted but not seen to be effective, … */
export function sectionsWith(results: Iterable<DeviceResult>, outcome: SectionOutcome): readonly { readonly key: string; readonly section: SectionResult; readonly devices: readonly DeviceResult[] }[] {
  const found = new Map<string, { readonly key: string; readonly section: SectionResult; readonly devices: DeviceResult[] }>();
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
