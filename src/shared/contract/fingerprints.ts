/** Fingerprints. No answer holds a template: a page never has one. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import {
  MOST_FINGERS,
  MOST_READERS,
  type EnrolEvent,
  type PrintOnDevice,
  type PrintResult,
} from '../people/fingerprints.ts';
import { id, someIds, whenBack } from './inputs.ts';
import { route, waiting } from './route.ts';

const employeeNo = z.string().min(1).max(32);
const reader = z.number().int().min(1).max(MOST_READERS);

const job = z.object({ jobId: id });
const people = z.array(employeeNo).min(1).max(100_000).readonly();
const fingers = z.array(z.number().int().min(1).max(MOST_FINGERS)).min(1).max(MOST_FINGERS).readonly();
const targets = {
  deviceIds: someIds,
  /** Default: reader 1; of a copy those that a fingerprint has at its source. */
  readers: z.array(reader).min(1).max(MOST_READERS).readonly().optional(),
  whenBack,
};
const sending = {
  ...targets,
  checkPerson: z.boolean().optional(),
  verify: z.boolean().optional(),
  /** Cipher that encrypts what is sent, with each device's own token key. */
  cipher: z
    .object({
      iterationTimes: z.union([z.literal(50_000), z.literal(80_000), z.literal(100_000)]),
      keyLen: z.union([z.literal(128), z.literal(256)]),
      encryptAlgorithmMode: z.enum(['ECB', 'CBC', 'CFB', 'OFB']),
      encryptAlgorithmFill: z.enum(['yes', 'no']),
    })
    .optional(),
};
/** A finger that is put on at a terminal and brought to other readers. */
const enrolment = z.object({
  employeeNo,
  fingerPrintID: z.number().int().min(1).max(MOST_FINGERS),
  /** Reader where the finger is put on. */
  at: z.object({ deviceId: id, reader }),
  /** Devices and readers it goes to; the terminal's own reader may be among them. */
  targets: z
    .array(z.object({ deviceId: id, readers: z.array(reader).min(1).max(MOST_READERS).readonly() }))
    .max(500)
    .readonly(),
  /**
   * Behaviour if the terminal has the finger already: `false` takes it as it is, `true` waits for another
   * capture. Absent: its existence is reported, and nothing is done.
   */
  anew: z.boolean().optional(),
  /** Seconds to wait for a capture; default 60. */
  waitSeconds: z.number().int().min(1).max(600).optional(),
});
export type EnrolRequest = z.infer<typeof enrolment>;

const begun = type<{ readonly jobId: string }>();

export const printsRoutes = {
  /**
   * Creates a job without starting it: nothing is sent. Its file comes past the page, see `PRINTS_PATH`.
   * @throws `vault-locked`, `unknown-device`, `out-of-range`
   */
  prepare: route('none').input(z.object(sending)).output(begun),
  /** Begins a prepared job; what is still being read is sent as it comes. */
  begin: route('none').input(job).output(begun),
  /** Forgets a job that was prepared and not begun. */
  discard: waiting('none').input(job).output(type<{ readonly discarded: boolean }>()),
  /** Wipes the templates that an ended job still keeps for going on; what became of it stays. Throws `not-available` while it runs. */
  forget: waiting('none').input(job).output(type<{ readonly wiped: boolean }>()),
  /** Copies fingerprints of a device to others, in memory. */
  copy: route('none')
    .input(z.object({ ...sending, from: id, people: people.optional(), fingers: fingers.optional() }))
    .output(begun),
  /** Removes every fingerprint of these people, or some; each device is asked again afterwards. */
  remove: route('none')
    .input(z.object({ ...targets, people, fingers: fingers.optional() }))
    .output(begun),
  /** Returns the fingers of a person on a device, with their readers. */
  held: waiting('none')
    .input(z.object({ deviceId: id, employeeNo }))
    .output(type<readonly PrintOnDevice[]>()),
  /**
   * Waits until the finger was put on at the terminal and brings it to the other readers. A reader that
   * disconnects ends it: the terminal is asked once more and its earlier state restored. Throws `timeout` if
   * no finger was put on, `not-available` if another enrolment runs there already.
   */
  enrol: route('none').input(enrolment).output(eventIterator(type<EnrolEvent>())),
  /** Yields the result of each fingerprint of a job until it has ended. Throws `not-found`. */
  results: route('none')
    .input(z.object({ jobId: id }))
    .output(eventIterator(type<PrintResult>())),
};
