/**
 * The virtual site as the tests of every area have it: it holds each request against its own reading of the
 * specification, and a test that made the client break it fails when the site closes. A test whose own requests are
 * not those of the product asks for `strict: false` and says why.
 */
import {
  startSite as startVirtualSite,
  type Site,
  type SiteOptions,
  type Violation,
} from '#simulator/index.ts';

export * from '#simulator/index.ts';

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { strict = true } = options;
  const site = await startVirtualSite({ ...options, strict });
  return {
    devices: site.devices,
    clock: site.clock,
    get violations() {
      return site.violations;
    },
    device: (index) => site.device(index),
    async close() {
      await site.close();
      if (strict) throwViolations(site.violations);
    },
  };
}

/** @throws Error that names what the client sent against the specification. */
export function throwViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const lines = violations
    .slice(0, 10)
    .map(({ method, path, violation }) => `${method} ${path}: ${violation}`);
  throw new Error(
    `The specification does not allow ${violations.length} of the requests (src/simulator/specification):\n${lines.join('\n')}`,
  );
}
