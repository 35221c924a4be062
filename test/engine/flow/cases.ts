/** Every flow with its answers, on the device that shows most of it, and what its writes are. */
import type { Answers } from '#engine/flow/scripted.ts';
import type { DeviceKind } from '#shared/model.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { STORAGE_CARD } from '#simulator/areas/storage-card.ts';
import type { LoggedRequest, Site } from '#simulator/index.ts';
import { ANSWERS as GATE, prepareGate } from './gate-walk.ts';
import { contentOf } from './run-flow.ts';
import { ANSWERS as THERMAL } from './thermal-answers.ts';

const SIGN = { sign: { name: 'A. Installer', serial: '4711' } };

export interface Case {
  readonly flow: string;
  readonly kind: DeviceKind;
  readonly answers: Answers;
  readonly prepare?: (site: Site) => void;
  /** Cannot be read, and doing it twice is the same as once: may go out again as it was. */
  readonly repeatable?: readonly string[];
  /** Places there are at least: fewer, and the test looks at nothing. */
  readonly least: number;
}

export const CASES: readonly Case[] = [
  {
    flow: 'storage-lock',
    kind: 'recorder',
    answers: {
      password: { kept: true, understood: true },
      prove: { wait: false },
      alarms: { schedule: 'always', 'badBlocks-email': true, 'diskFailure-center': false },
      ...SIGN,
    },
    least: 25,
  },
  {
    flow: 'token-key',
    kind: 'counter',
    answers: { 'hand-over': { to: 'Integrator', given: true }, ...SIGN },
    repeatable: ['token.secretKey.set'],
    least: 12,
  },
  { flow: 'thermal', kind: 'thermal', answers: THERMAL, least: 50 },
  {
    flow: 'gate',
    kind: 'gate',
    answers: {
      ...GATE,
      host: { change: true, voicePrompt: true },
      controllers: {
        'action-1': 'add',
        'id-1': 7,
        devName: 'North lane',
        devType: '1door',
        offlineWorkMode: 'autoLearn',
        networkEnable: true,
        ipAddress: '192.0.2.40',
        'action-2': 'change',
        'id-2': 7,
        'action-3': 'delete',
        'id-3': 1,
      },
      audio: { ...GATE.audio, number: 2, audioName: 'Welcome', playCondition: 'CompleteAuth' },
    },
    prepare: (site) => void prepareGate({ site }),
    repeatable: ['accessControl.controllerAudio.put'],
    least: 90,
  },
];

/** A card that is locked already, whose password is changed. */
export const CHANGED_LOCK: Case = {
  ...(CASES[0] as Case),
  answers: {
    ...(CASES[0] as Case).answers,
    password: { original: 'Old-1', kept: true, understood: true },
    prove: { try: true, wait: false },
  },
  prepare: (site) => site.device(0).part(STORAGE_CARD).lock('Old-1'),
};

/** Returns a record's content without device and times. */
export function plain(record: SealedDocument): unknown {
  return JSON.parse(
    JSON.stringify(contentOf(record))
      .replaceAll(/127\.0\.0\.1:\d+|t-[\w-]+/g, 'device')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.Z+-]+/g, 'then'),
  ) as unknown;
}

/** Lists the writes that changed the device, in order; identical repeatable requests count once. */
export function writesOf(site: Site, { repeatable = [] }: Case): readonly string[] {
  const all = site.device(0).requests.filter(({ applied }) => applied);
  const isRepeated = ({ operation = '', bodyHash }: LoggedRequest, nth: number): boolean =>
    repeatable.includes(operation) && all[nth - 1]?.bodyHash === bodyHash;
  return all.filter((request, nth) => !isRepeated(request, nth)).map(({ operation = '' }) => operation);
}
