/** What all kinds of job that write settings have in common. */
import { defined } from '../../shared/defined.ts';
import type { Change } from '../../shared/model.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { followUpTurns } from './follow-up/follow-up.ts';
import type { Settings } from './settings-documents.ts';
import { beginUndo, previewSections } from './undo/begin-undo.ts';

export interface SettingsKindOptions {
  readonly finder: Finder;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
  /** Told of a device whose restart was waited for and is over. */
  readonly onRestarted: (deviceId: string) => void;
}

/** Two jobs that replace whole documents on one device would undo each other's work unseen: so they are refused. */
export function settingsKind(
  options: SettingsKindOptions,
): Omit<JobKind<Settings>, 'name' | 'resume' | 'schemas'> {
  return {
    whenBusy: 'refuse',
    interrupted: 'unknown',
    undo: {
      preview: previewSections,
      begin: (job, request) => beginUndo(job, request, options),
    },
    followUp: (_job, devices, record) => followUpTurns(devices, record, options),
    history: {
      words: ({ set }) => set,
      rows({ set, params, changes }, label) {
        const section = { section: set, params };
        return changes.length === 0
          ? [{ ...section, label }]
          : changes.map((change) => ({ ...section, ...shownChange(change, label) }));
      },
    },
  };
}

function shownChange({ path, label, from, to }: Change, section: string) {
  return {
    path,
    label: `${section} › ${label}`,
    ...defined({ from, to }),
  };
}
