export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export function addCounts(counts: readonly Counts[]): Counts;
export function countTests(report: unknown, exitCode: number): Counts;
