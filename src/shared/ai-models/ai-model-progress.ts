/** Progress of a device in a job of kind `model`, from its units: the same on every face. */
import { removeUndefined } from '../remove-undefined.ts';
import type { DeviceResult, UnitResult } from '../model.ts';
import { OUTCOMES } from '../outcomes.ts';
import type { ModelProgress, ModelStage, ModelUnit } from './ai-models.ts';

export type ModelUnitResult = UnitResult & ModelUnit;

export function getModelUnits({ units }: Pick<DeviceResult, 'units'>): readonly ModelUnitResult[] {
  return units as readonly ModelUnitResult[];
}

export function computeModelProgress(device: DeviceResult): ModelProgress {
  const transfer = getModelUnits(device).find(({ step }) => step === 'transfer')?.transfer;
  const { served = 0, total = 0, rate = 0, percent: claimed } = transfer ?? {};
  const stage = modelStage(device);
  const left = total - served;
  return {
    stage,
    served,
    total,
    percent: total === 0 ? 0 : Math.floor((served / total) * 100),
    rate: stage === 'serving' ? rate : 0,
    ...removeUndefined({
      received: claimed === undefined ? undefined : Math.round((claimed / 100) * total),
      eta: left === 0 ? 0 : stage === 'serving' && rate > 0 ? Math.ceil(left / rate) : undefined,
    }),
  };
}

/** Returns the stage of the first unfinished unit; if that has not begun, of the one before it. */
function modelStage(device: DeviceResult): ModelStage {
  const units = getModelUnits(device);
  const open = units.findIndex(({ outcome }) => outcome === 'needs-reboot' || !OUTCOMES[outcome].good);
  if (open < 0) return units.some(({ stage }) => stage === 'proved') ? 'proved' : 'listed';
  const at = units[open];
  if (device.state === 'failed' && device.error !== undefined) return 'failed';
  if (device.state === 'pending' && device.error !== undefined) return 'when-seen';
  // Nothing is on its way to a device that is not worked on, however far it was.
  const isIdle = at?.stage === 'serving' && device.state !== 'running';
  if (at !== undefined && at.stage !== 'waiting' && !isIdle) return at.stage;
  return units[open - 1]?.stage ?? 'waiting';
}

/** Returns megabytes with one decimal, for languages that add the unit themselves. */
export function toMegabytes(bytes: number): number {
  return Math.round((bytes / 1_048_576) * 10) / 10;
}
