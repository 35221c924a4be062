/** Every command, in the order of help and reference. */
import { ACCESS } from './declarations/access.ts';
import { DEVICE } from './declarations/device.ts';
import { FINGERPRINTS } from './declarations/fingerprints.ts';
import { FLOW } from './declarations/flow.ts';
import { INTERFACE } from './declarations/interface.ts';
import { JOBS } from './declarations/jobs.ts';
import { MODEL } from './declarations/model.ts';
import { REPORT } from './declarations/report.ts';
import { SITE } from './declarations/site.ts';
import { STATE } from './declarations/state.ts';
import { TEMPLATE } from './declarations/template.ts';
import { USERS } from './declarations/users.ts';

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
