import type { Component } from 'vue';
import type { CallAnswer, PlanDevice } from '#shared/model.ts';
import { OUTCOMES, type JobStanding, type ShownOutcome } from '#shared/outcomes.ts';
import type { ReachShown, SignInShown } from '#shared/device-status.ts';
import type { Tone } from '#renderer/styles/palette.ts';
import {
  IconAccepted,
  IconBlocked,
  IconCertificate,
  IconChange,
  IconGood,
  IconHistory,
  IconIgnored,
  IconInterrupted,
  IconKey,
  IconLocked,
  IconNeutral,
  IconPending,
  IconProblem,
  IconReboot,
  IconRefused,
  IconSkipped,
  IconUnknown,
  IconUnreachable,
  IconWarn,
} from '#renderer/components/ui/icons.ts';

/** How one state looks; its word is `status.<family>.<value>` of the locale. */
interface StatusLook {
  readonly tone: Tone;
  readonly icon: Component;
}

function look(tone: Tone, icon: Component): StatusLook {
  return { tone, icon };
}

const REACH: Record<ReachShown, StatusLook> = {
  reachable: look('good', IconGood),
  'was-reachable': look('quiet', IconHistory),
  answers: look('warn', IconUnknown),
  unreachable: look('bad', IconUnreachable),
  'was-unreachable': look('quiet', IconUnreachable),
  unknown: look('quiet', IconNeutral),
};
const SIGN_IN: Record<SignInShown, StatusLook> = {
  ok: look('good', IconGood),
  'was-ok': look('quiet', IconHistory),
  needed: look('warn', IconKey),
  failed: look('bad', IconRefused),
  locked: look('bad', IconLocked),
  certificate: look('warn', IconCertificate),
  'certificate-changed': look('bad', IconCertificate),
  unknown: look('quiet', IconNeutral),
};
const PLAN: Record<PlanDevice['state'], StatusLook> = {
  changes: look('info', IconChange),
  unchanged: look('good', IconGood),
  adjusted: look('warn', IconWarn),
  unsupported: look('quiet', IconSkipped),
  blocked: look('bad', IconBlocked),
  failed: look('bad', IconProblem),
};
const OUTCOME_ICONS: Record<ShownOutcome, Component> = {
  effective: IconGood,
  accepted: IconAccepted,
  ignored: IconIgnored,
  'needs-reboot': IconReboot,
  refused: IconRefused,
  unknown: IconUnknown,
  unchanged: IconNeutral,
  skipped: IconSkipped,
  unsupported: IconSkipped,
  blocked: IconBlocked,
  failed: IconProblem,
  pending: IconPending,
  done: IconGood,
  checked: IconGood,
  answered: IconGood,
  'signed-off': IconGood,
  'not-checked': IconSkipped,
  'nothing-to-do': IconNeutral,
};
const OUTCOME = Object.fromEntries(
  Object.entries(OUTCOME_ICONS).map(([outcome, icon]) => [
    outcome,
    look(OUTCOMES[outcome as ShownOutcome].tone, icon),
  ]),
) as Record<ShownOutcome, StatusLook>;
const JOB: Record<JobStanding, StatusLook> = {
  'needs-reboot': look('special', IconReboot),
  running: look('info', IconReboot),
  waiting: look('quiet', IconPending),
  paused: look('warn', IconInterrupted),
  done: look('good', IconGood),
  partial: look('warn', IconWarn),
  failed: look('bad', IconProblem),
  cancelled: look('quiet', IconInterrupted),
  interrupted: look('warn', IconInterrupted),
  stopped: look('warn', IconInterrupted),
};

/** Look of the outcome of one request of the console. */
const ANSWER: Record<CallAnswer['outcome'] | 'error', StatusLook> = {
  ok: look('good', IconGood),
  'needs-reboot': look('special', IconReboot),
  refused: look('bad', IconRefused),
  ignored: OUTCOME.ignored,
  unknown: OUTCOME.unknown,
  error: look('bad', IconProblem),
};

const FAMILIES = {
  answer: ANSWER,
  reach: REACH,
  signIn: SIGN_IN,
  plan: PLAN,
  outcome: OUTCOME,
  job: JOB,
} as const;
export type StatusFamily = keyof typeof FAMILIES;

/** A state that this version does not know is shown neutrally, never hidden. */
export function getStatusLook(family: StatusFamily, value: string): StatusLook {
  const looks: Readonly<Record<string, StatusLook>> = FAMILIES[family];
  return Object.hasOwn(looks, value)
    ? (looks[value] ?? look('quiet', IconUnknown))
    : look('quiet', IconUnknown);
}

/** Every state of a family, for tests and legends. */
export function listStatusValues(family: StatusFamily): readonly string[] {
  return Object.keys(FAMILIES[family]);
}
