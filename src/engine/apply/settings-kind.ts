/** Common parts of all kinds of job that write settings. */
import type { JobKind } from '../jobs/job-kind.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { settingsHistory } from '../write/settings-history.ts';
import { followUpTurns } from './follow-up/follow-up.ts';
import type { PartlyUndoable, Undoable } from './settings-documents.ts';
import { beginUndo, listPreviewSections } from './undo/begin-undo.ts';

export interface SettingsKindOptions {
  readonly finder: Finder;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
  /** Called after the restart of a device that the job waited for. */
  readonly onRestarted: (deviceId: string) => void;
}

/**
 * Creates the kind. Two jobs that replace whole documents on one device would undo each other's work unseen,
 * so they are refused.
 */
export function createSettingsKind(
  options: SettingsKindOptions,
): Omit<JobKind<Undoable>, 'name' | 'resume' | 'schemas' | 'undo'> & Pick<JobKind<PartlyUndoable>, 'undo'> {
  return {
    whenBusy: 'refuse',
    interrupted: 'unknown',
    undo: {
      preview: listPreviewSections,
      begin: (job, request) => beginUndo(job, request, options),
    },
    followUp: (_job, devices, record) => followUpTurns(devices, record, options),
    history: settingsHistory,
  };
}
