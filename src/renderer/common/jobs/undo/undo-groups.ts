import type { UndoPreview, UndoPreviewDevice } from '#shared/model.ts';

/** Devices on which the same would be put back. */
export interface UndoGroup {
  readonly key: string;
  readonly devices: readonly UndoPreviewDevice[];
  readonly sections: UndoPreviewDevice['sections'];
  /** Extent to which the job's writes can be undone: all, some or none. */
  readonly extent: 'all' | 'some' | 'none';
  readonly changes: number;
}

const ORDER = ['all', 'some', 'none'] as const;

export function canUndo(device: UndoPreviewDevice): boolean {
  return device.problem === undefined && device.sections.some(({ problem }) => problem === undefined);
}

function extentOf(device: UndoPreviewDevice): UndoGroup['extent'] {
  if (!canUndo(device)) return 'none';
  return device.sections.every(({ problem, lost }) => problem === undefined && lost.length === 0)
    ? 'all'
    : 'some';
}

/** Groups of devices on which an undo would do the same; what can be taken back whole comes first. */
export function groupUndoDevices(preview: Pick<UndoPreview, 'devices'>): readonly UndoGroup[] {
  const groups = new Map<string, UndoPreviewDevice[]>();
  for (const device of preview.devices) {
    const key = JSON.stringify([
      device.problem?.code,
      device.sections.map(({ set, params, changes, problem, lost }) => [
        set,
        params,
        changes,
        problem?.code,
        lost,
      ]),
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [device]);
    else group.push(device);
  }
  return [...groups]
    .map(([key, devices]): UndoGroup => {
      const first = devices[0] as UndoPreviewDevice;
      return {
        key,
        devices,
        sections: first.sections,
        extent: extentOf(first),
        changes: first.sections.reduce((sum, { changes }) => sum + changes.length, 0),
      };
    })
    .sort((a, b) => ORDER.indexOf(a.extent) - ORDER.indexOf(b.extent) || b.devices.length - a.devices.length);
}
