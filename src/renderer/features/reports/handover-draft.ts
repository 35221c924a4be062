/** Facts of a site as its form has them: every text is there, rows may be half filled in. */
import { USUAL_CHECKS, type HandoverDetails } from '#shared/contract/handover.ts';

type Given<Name extends keyof HandoverDetails> = NonNullable<HandoverDetails[Name]>;
type Mutable<T> = { -readonly [Name in keyof T]-?: NonNullable<T[Name]> };
type CheckDraft = Mutable<Given<'checks'>[number]>;
type PointDraft = Mutable<Given<'openPoints'>[number]>;

export interface HandoverDraft {
  project: string;
  customer: string;
  place: string;
  by: string;
  /** The usual checks first, then those that a file named. */
  checks: CheckDraft[];
  openPoints: PointDraft[];
  keys: Mutable<Given<'keys'>[number]>[];
  documents: { name: string }[];
  from: string;
  until: string;
  terms: string;
  maintenanceDue: string;
  signatures: Mutable<Given<'signatures'>[number]>[];
}

export function toDraft(details: HandoverDetails): HandoverDraft {
  const { checks = [], warranty } = details;
  const named = new Map(checks.map((check) => [check.check, check]));
  const others = checks.filter(({ check }) => !USUAL_CHECKS.some((usual) => usual === check));
  const checkOf = (check: string): CheckDraft => ({
    result: 'open',
    by: '',
    at: '',
    reason: '',
    ...named.get(check),
    check,
  });
  return {
    project: details.project ?? '',
    customer: details.customer ?? '',
    place: details.place ?? '',
    by: details.by ?? '',
    checks: [...USUAL_CHECKS, ...others.map(({ check }) => check)].map(checkOf),
    openPoints: (details.openPoints ?? []).map((point) => ({ owner: '', due: '', device: '', ...point })),
    keys: (details.keys ?? []).map((key) => ({ ...key })),
    documents: (details.documents ?? []).map((name) => ({ name })),
    from: warranty?.from ?? '',
    until: warranty?.until ?? '',
    terms: warranty?.terms ?? '',
    maintenanceDue: details.maintenanceDue ?? '',
    signatures: (details.signatures ?? []).map((signature) => ({ role: '', ...signature })),
  };
}

/** Leaves out what is empty, and rows without the text that they are about. */
export function toDetails(draft: HandoverDraft): HandoverDetails {
  const checks = draft.checks.filter(
    ({ result, by, reason }) => result !== 'open' || by !== '' || reason !== '',
  );
  const openPoints = draft.openPoints.filter(({ text }) => text.trim() !== '');
  const keys = draft.keys.filter(({ what, where }) => what.trim() !== '' && where.trim() !== '');
  const documents = draft.documents.map(({ name }) => name).filter((name) => name.trim() !== '');
  const signatures = draft.signatures.filter(({ name }) => name.trim() !== '');
  const { from, until, terms } = draft;
  return {
    ...filled({
      project: draft.project,
      customer: draft.customer,
      place: draft.place,
      by: draft.by,
      maintenanceDue: draft.maintenanceDue,
    }),
    ...(checks.length > 0 && { checks: checks.map(filled) }),
    ...(openPoints.length > 0 && { openPoints: openPoints.map(filled) }),
    ...(keys.length > 0 && { keys: keys.map(filled) }),
    ...(documents.length > 0 && { documents }),
    ...(from !== '' && until !== '' && { warranty: { from, until, ...filled({ terms }) } }),
    ...(signatures.length > 0 && { signatures: signatures.map(filled) }),
  } as HandoverDetails;
}

function filled<T extends object>(row: T): T {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  ) as T;
}
