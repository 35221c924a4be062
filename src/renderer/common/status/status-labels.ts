import type { IconName } from '#renderer/components/ui/icons.ts';
import type { CallAnswer, PlanDevice } from '#shared/model.ts';
import { OUTCOMES, type JobStanding, type ShownOutcome } from '#shared/outcomes.ts';
import type { ReachShown, SignInShown } from '#shared/device-status.ts';
import type { Tone } from '#renderer/styles/palette.ts';

/** How one state looks; its word is `status.<family>.<value>` of the locale. */
interface StatusLook {
  readonly tone: Tone;
  readonly icon: IconName;
}

function look(tone: Tone, icon: IconName): StatusLook {
  return { tone, icon };
}

const REACH: Record<ReachShown, StatusLook> = {
  reachable: look('good', 'good'),
  'was-reachable': look('quiet', 'history'),
  answers: look('warn', 'unknown'),
  unreachable: look('bad', 'unreachable'),
  'was-unreachable': look('quiet', 'unreachable'),
  unknown: look('quiet', 'neutral'),
};
const SIGN_IN: Record<SignInShown, StatusLook> = {
  ok: look('good', 'good'),
  'was-ok': look('quiet', 'history'),
  needed: look('warn', 'key'),
  failed: look('bad', 'refused'),
  locked: look('bad', 'locked'),
  certificate: look('warn', 'certificate'),
  'certificate-changed': look('bad', 'certificate'),
  unknown: look('quiet', 'neutral'),
};
const PLAN: Record<PlanDevice['state'], StatusLook> = {
  changes: look('info', 'change'),
  unchanged: look('good', 'good'),
  adjusted: look('warn', 'warn'),
  unsupported: look('quiet', 'skipped'),
  blocked: look('bad', 'blocked'),
  failed: look('bad', 'problem'),
};
const OUTCOME_ICONS: Record<ShownOutcome, IconName> = {
  effective: 'good',
  accepted: 'accepted',
  ignored: 'ignored',
  'needs-reboot': 'reboot',
  refused: 'refused',
  unknown: 'unknown',
  reverted: 'history',
  unchanged: 'neutral',
  skipped: 'skipped',
  unsupported: 'skipped',
  blocked: 'blocked',
  failed: 'problem',
  pending: 'pending',
  done: 'good',
  checked: 'good',
  answered: 'good',
  'signed-off': 'good',
  'not-checked': 'skipped',
  'nothing-to-do': 'neutral',
};
const OUTCOME = Object.fromEntries(
  Object.entries(OUTCOME_ICONS).map(([outcome, icon]) => [
    outcome,
    look(OUTCOMES[outcome as ShownOutcome].tone, icon),
  ]),
) as Record<ShownOutcome, StatusLook>;
const JOB: Record<JobStanding, StatusLook> = {
  'needs-reboot': look('special', 'reboot'),
  running: look('info', 'reboot'),
  waiting: look('quiet', 'pending'),
  paused: look('warn', 'interrupted'),
  done: look('good', 'good'),
  partial: look('warn', 'warn'),
  failed: look('bad', 'problem'),
  cancelled: look('quiet', 'interrupted'),
  interrupted: look('warn', 'interrupted'),
  stopped: look('warn', 'interrupted'),
};

/** Look of the outcome of one request of the console. */
const ANSWER: Record<CallAnswer['outcome'] | 'error', StatusLook> = {
  ok: look('good', 'good'),
  'needs-reboot': look('special', 'reboot'),
  refused: look('bad', 'refused'),
  ignored: OUTCOME.ignored,
  unknown: OUTCOME.unknown,
  error: look('bad', 'problem'),
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
  return Object.hasOwn(looks, value) ? (looks[value] ?? look('quiet', 'unknown')) : look('quiet', 'unknown');
}

/** Every state of a family, for tests and legends. */
export function listStatusValues(family: StatusFamily): readonly string[] {
  return Object.keys(FAMILIES[family]);
}
