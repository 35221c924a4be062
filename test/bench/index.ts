/**
 * `npm run bench`: every report, or those named: `npm run bench -- ten-sections other-tools`.
 * Each stands alone and compares with a reference of the same run.
 */
import { mixedSiteReport, tenSectionsReport } from './apply.ts';
import { firstLoadReport } from './first-load.ts';
import { hostileReport } from './hostile.ts';
import { workspaceReport } from './open-workspace.ts';
import { otherToolsReport } from './other-tools.ts';
import { usersReport } from './page-users.ts';
import { peopleTableReport } from './people-table.ts';
import { peopleReport } from './people.ts';
import { printsReport } from './prints.ts';
import { decodeReport } from './protocol-decode.ts';
import { reachReport } from './reach.ts';
import { reportReport } from './report.ts';
import { startReport } from './start.ts';
import { templateCheckReport } from './template-check.ts';
import { typingReport } from './template-typing.ts';
import { scaleReport } from './scale.ts';
import { siteListReport } from './site-list.ts';
import { transferReport } from './transfer.ts';
import { windowReport } from './window-during-apply.ts';

const REPORTS: Readonly<Record<string, () => Promise<string>>> = {
  start: startReport,
  'first-load': firstLoadReport,
  'mixed-site': mixedSiteReport,
  'ten-sections': tenSectionsReport,
  'other-tools': otherToolsReport,
  decode: decodeReport,
  hostile: hostileReport,
  workspace: workspaceReport,
  users: usersReport,
  fingerprints: printsReport,
  people: peopleReport,
  'people-table': peopleTableReport,
  reach: reachReport,
  typing: typingReport,
  'template-check': templateCheckReport,
  'site-list': siteListReport,
  report: reportReport,
  scale: scaleReport,
  transfer: transferReport,
  window: windowReport,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(REPORTS, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no report ${unknown.join(', ')}; there are: ${Object.keys(REPORTS).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  for (const [name, report] of Object.entries(REPORTS)) {
    if (named.length === 0 || named.includes(name)) process.stdout.write(`${await report()}\n`);
  }
}
