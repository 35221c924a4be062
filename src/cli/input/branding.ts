/** Company, lines and logo of the cover of a report, from a file. */
import { dirname, join } from 'node:path';
import { readYamlFile } from '#engine/index.ts';
import { brandingInput, type ReportRequest } from '#shared/contract/reports.ts';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { REPORT_LIMITS } from '#shared/report-document.ts';
import type { Invocation } from '../invocation.ts';
import { readBytes, readText } from './files.ts';

/** A picture stands beside the file that names it. */
export async function readBranding({ io }: Invocation, file: string): Promise<ReportRequest['branding']> {
  const read = brandingInput.safeParse(readYamlFile(await readText(io, file), file)?.root ?? {});
  if (!read.success) throw wrongFile(file, read.error);
  const { logo, ...rest } = read.data;
  if (logo === undefined) return rest;
  const bytes = await readBytes(io, join(dirname(file), logo));
  if (bytes.length > REPORT_LIMITS.logoBytes)
    throw userError(
      'input-too-large',
      say('reports.logo-too-large', { most: REPORT_LIMITS.logoBytes / 1024 }),
      { file: logo },
    );
  return { ...rest, logo: Buffer.from(bytes).toString('base64') };
}

function wrongFile(
  file: string,
  { issues }: { readonly issues: readonly { readonly path: PropertyKey[] }[] },
): FieldwrightError {
  const path = issues[0]?.path.map(String).join('.') ?? '';
  return userError('unreadable-file', say('reports.file-form', { path }), { path, file });
}
