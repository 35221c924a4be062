export function findReleaseProblems(release: {
  readonly tag: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly lock: { readonly version: string };
  readonly changelog: string;
}): readonly string[];
export function readReleaseNotes(changelog: string, version: string): string;
