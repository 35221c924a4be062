/** Every command, in the order of help and reference. */
import { ACCESS } from './access.ts';
import { DEVICE } from './device.ts';
import { FINGERPRINTS } from './fingerprints.ts';
import { FLOW } from './flow.ts';
import { INTERFACE } from './interface.ts';
import { JOBS } from './jobs.ts';
import { MODEL } from './model.ts';
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
  ...FLOW,
  ...FINGERPRINTS,
  ...MODEL,
  ...USERS,
  ...REPORT,
};
