/** Fields of the project's description that the makers of installers ask for before they begin. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

const require = createRequire(import.meta.url);

describe('installers', () => {
  it('the page that the Linux packages name is there, as electron-builder computes it', async () => {
    const { AppInfo } = require('app-builder-lib/out/appInfo.js') as {
      readonly AppInfo: { readonly prototype: { computePackageUrl(this: unknown): Promise<string | null> } };
    };
    const metadata: unknown = JSON.parse(readFileSync('package.json', 'utf8'));

    const url = await AppInfo.prototype.computePackageUrl.call({
      info: { metadata, repositoryInfo: Promise.resolve(null) },
      notNullDevMetadata: metadata,
    });

    expect(url).toMatch(/^https:\/\//);
  });
});
