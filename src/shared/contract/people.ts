/** People on terminals. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  ComparedPerson,
  CompareEvent,
  PeopleEvent,
  PeoplePlanEvent,
  PeopleRow,
  PersonDetails,
  RemovedPeople,
} from '../people/people.ts';
import { id, jobOptions, shortText, someIds } from './inputs.ts';
import type { PeopleOutcome } from '../people/people-outcome.ts';
import { route, waiting } from './route.ts';

const employeeNo = z.string().min(1).max(200);

/** Text of a file; longer files are for the command line. */
const peopleText = z.string().max(6_000_000);

const planSource = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    name: shortText,
    text: peopleText,
    format: z.enum(['csv', 'ndjson']),
    map: z.record(shortText, shortText).optional(),
    dates: z.enum(['dmy', 'mdy']).optional(),
  }),
  z.object({
    kind: z.literal('copy'),
    from: id,
    only: z.array(employeeNo).min(1).max(100_000).readonly().optional(),
    /** Fingerprints follow; they do unless it is false. */
    prints: z.boolean().optional(),
    /** People whose number belongs to someone else on a device replace them there; else they are refused. */
    replaceOthers: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('person'),
    person: z.looseObject({ employeeNo }),
  }),
  z.object({ kind: z.literal('remove'), employeeNos: z.array(employeeNo).min(1).max(100_000).readonly() }),
]);

export const peopleRoutes = {
  /** Yields the people of a device as they come; the device itself searches for `text`. */
  read: route('none')
    .input(z.object({ deviceId: id, text: shortText.optional() }))
    .output(eventIterator(type<PeopleEvent>())),
  /** Throws `not-found`. */
  person: waiting('none')
    .input(z.object({ deviceId: id, employeeNo }))
    .output(type<PersonDetails>()),
  /** Plans work on people for each device; nothing is written. The last event is the plan. */
  plan: route('none')
    .input(z.object({ source: planSource, deviceIds: someIds }))
    .output(eventIterator(type<PeoplePlanEvent>())),
  /** Rows of a plan or of its job, in the order of the file. */
  rows: route('none')
    .input(
      z.object({
        id,
        only: z.enum(['all', 'moving', 'failed']).optional(),
        deviceIds: z.array(id).max(10_000).readonly().optional(),
        offset: z.number().int().min(0).optional(),
        limit: z.number().int().min(1).max(500),
      }),
    )
    .output(type<readonly PeopleRow[]>()),
  /** Carries a plan out as a job of its id. Throws `not-found`, `not-available` where a device is busy. */
  begin: route('none')
    .input(z.object({ id, options: jobOptions }))
    .output(type<{ jobId: string }>()),
  /**
   * Returns a receipt of a removal to hand out; it says so if the removal is not complete. Throws
   * `not-found`.
   */
  receipt: route('none').input(z.object({ id })).output(type<{ fileName: string; text: string }>()),
  /** Counts the people of a job over all its devices. @throws `not-found` */
  outcome: route('none').input(z.object({ id })).output(type<PeopleOutcome>()),
  /** Returns the receipt in a few lines a device. @throws `not-found` */
  removed: route('none').input(z.object({ id })).output(type<RemovedPeople>()),
  /** Reads the people of each device and finds the differences; the last event has the id of the result. */
  compare: route('none')
    .input(z.object({ deviceIds: someIds }))
    .output(eventIterator(type<CompareEvent>())),
  /** Returns people of a comparison in the order of their numbers, beginning after `after`. */
  compared: route('none')
    .input(
      z.object({
        id,
        after: z.string().max(200).optional(),
        differing: z.boolean().optional(),
        text: shortText.optional(),
        limit: z.number().int().min(1).max(500),
      }),
    )
    .output(type<readonly ComparedPerson[]>()),
  /** Forgets a plan that will not run, or a comparison. */
  discard: route('none').input(z.object({ id })).output(type<{ discarded: boolean }>()),
  /** Rows that went wrong as a file, with the reason of each. */
  failed: route('none').input(z.object({ id })).output(type<{ fileName: string; text: string }>()),
};
