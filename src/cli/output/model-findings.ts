/** Findings of the doctor in words. */
import type { ModelFinding } from '#shared/ai-models/ai-models.ts';
import { splitSentences } from '#shared/details.ts';
import type { Output } from './output.ts';

export function printFindings(out: Output, findings: readonly ModelFinding[]): void {
  for (const { tone, detail } of findings) {
    const { message, hint } = splitSentences(out.sentence(detail));
    const paint = tone === 'good' ? 'good' : tone === 'warning' ? 'warn' : 'bad';
    out.note(`${out.paint[paint](MARKS[tone])} ${message}`);
    if (hint !== undefined && tone !== 'good') out.note(`    ${hint}`);
  }
}

const MARKS: Readonly<Record<ModelFinding['tone'], string>> = { good: '✓', warning: '!', danger: '✗' };
