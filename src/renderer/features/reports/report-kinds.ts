import type { ReportRequest } from '#shared/contract/reports.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ReportKind, useReports } from './reports.store.ts';

type Reports = Pick<ReturnType<typeof useReports>, 'draft' | 'document'>;
type Kind = Exclude<ReportRequest['kind'], 'receipt'>;
type Common = 'deviceIds' | 'format' | 'language';
/** Input of a report beside its devices, format and language. */
type Own = { [K in Kind]: Omit<Extract<ReportRequest, { readonly kind: K }>, Common> }[Kind];

interface ReportKindFacts {
  /** Returns the number of devices it needs; 1 if absent. */
  readonly least?: (reports: Reports) => number;
  /** Returns true if everything but the devices is given; true if absent. */
  readonly isReady?: (reports: Reports) => boolean;
  /** True if the result is shown on the screen instead of saved as a file. */
  readonly isShown?: boolean;
  /** `isRead`: the devices were read for it a moment ago. */
  readonly request: (reports: Reports, isRead: boolean) => Own;
}

/** Reports in the order of the screen. Each has its words in `reports.kinds` and `reports.about`. */
export const REPORT_KINDS: Readonly<Record<ReportKind, ReportKindFacts>> = {
  capabilities: {
    request: (_, isRead) => ({ kind: 'capabilities', offline: !isRead }),
  },
  comparison: {
    least: ({ draft }) => (draft.since === '' ? 2 : 1),
    request: ({ draft }) => ({
      kind: 'comparison',
      all: draft.all,
      ...removeUndefined({ since: trimToUndefined(draft.since) }),
    }),
  },
  // The engine takes the facts that are kept with the site.
  handover: { request: () => ({ kind: 'handover' }) },
  warranty: {
    isReady: ({ document }) => document?.opened.intact === true,
    request: ({ draft, document }) => ({ kind: 'comparison', all: draft.all, ...document?.of }),
    isShown: true,
  },
  diagnostics: { request: () => ({ kind: 'diagnostics' }) },
};

function trimToUndefined(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
