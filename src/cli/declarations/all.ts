/** Every command, in the order of help and reference. */
import { ACCESS } from './access.ts';
import type { ActionOf, Group } from './declaration.ts';
import { DEVICE } from './device.ts';
import { FINGERPRINTS } from './fingerprints.ts';
import { FLOW } from './flow.ts';
import { INTERFACE } from './interface.ts';
import { JOBS } from './jobs.ts';
import { MODEL } from './model.ts';
import { PROPOSALS } from './proposals.ts';
import { REPORT } from './report.ts';
import { SITE } from './site.ts';
import { STATE } from './state.ts';
import { TEMPLATE } from './template.ts';
import { USERS } from './users.ts';

export const DECLARATIONS = {
  ...SITE,
  ...DEVICE,
  ...ACCESS,
  ...INTERFACE,
  ...TEMPLATE,
  ...JOBS,
  ...STATE,
  ...PROPOSALS,
  ...FLOW,
  ...FINGERPRINTS,
  ...MODEL,
  ...USERS,
  ...REPORT,
};

type Declared = typeof DECLARATIONS;

/** Function of a command, by the words of the command: `Action<'jobs undo'>`. */
export type Action<Words extends string> = ActionOf<
  Words extends `${infer Name extends keyof Declared} ${infer Command}`
    ? Declared[Name] extends Group<infer Commands>
      ? Commands[Command & keyof Commands]
      : never
    : Declared[Words & keyof Declared]
>;
