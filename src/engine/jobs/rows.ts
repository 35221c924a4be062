/** Columns of the journal that every reader of it needs. */
import type { DeviceResult, SectionOutcome } from '../../shared/model.ts';

export interface DeviceColumns {
  readonly position: number;
  readonly device_id: string;
  readonly name: string;
  readonly url: string;
  readonly state: DeviceResult['state'];
  readonly error: string | null;
  /** 1: chosen, and had no turn. */
  readonly idle: number;
}

export interface SectionColumns {
  readonly position: number;
  readonly idx: number;
  readonly set_name: string;
  readonly label: string;
  readonly params: string;
  readonly planned: string;
  readonly outcome: SectionOutcome;
  readonly changes: string | null;
  readonly error: string | null;
}

/** How texts are compared where case does not matter. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
