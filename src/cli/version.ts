import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findBuildDir } from '#rpc/hosting/folders.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** Version of the product, from the package.json beside what was built. */
export function readProductVersion(): string {
  const manifest: unknown = readOwnJson(readFileSync(join(dirname(findBuildDir()), 'package.json'), 'utf8'));
  return String((manifest as { version?: unknown }).version ?? '0.0.0');
}
