/**
 * Creates the findings of an edited text, errors and unusual values, for its sections and as marks in the
 * editor.
 */
import type { Diagnostic } from '@codemirror/lint';
import { computed, type Ref } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';
import type { TemplateCheck } from '#shared/model.ts';
import { buildFindings, fixOf, type Finding, type Fix } from '../check/findings.ts';
import type { YamlProblem } from '#template/read-yaml.ts';
import type { TemplateDoc } from '../yaml/template-doc.ts';

const NONE: readonly Finding[] = [];
const NONE_WRONG: readonly ErrorShape[] = [];

export interface SessionText {
  problem(finding: Finding): string;
  fix(fix: Fix): string;
}

export function createFindings(
  text: Ref<string>,
  syntax: Ref<readonly YamlProblem[]>,
  check: Ref<TemplateCheck | undefined>,
) {
  /**
   * Findings of the last check stay until the next one is complete: a list that flickers with every key is of
   * no use.
   */
  const findings = computed<readonly Finding[]>((before) =>
    check.value === undefined && syntax.value.length === 0
      ? (before ?? NONE)
      : buildFindings(text.value, syntax.value, check.value?.errors ?? NONE_WRONG),
  );
  /** Unusual values, which do not block anything. */
  const warnings = computed<readonly Finding[]>((before) =>
    check.value === undefined ? (before ?? NONE) : buildFindings(text.value, [], check.value.warnings),
  );
  const bySection = computed(() => {
    const map = new Map<number, Finding[]>();
    for (const finding of findings.value)
      if (finding.section !== undefined)
        map.set(finding.section, [...(map.get(finding.section) ?? []), finding]);
    return map;
  });

  /** The marks of an editor whose text has this length; `doc` is undefined where it is behind the text. */
  function diagnostics(
    length: number,
    doc: TemplateDoc | undefined,
    words: SessionText,
    applyFix: (fix: Fix) => void,
  ): Diagnostic[] {
    const mark = (finding: Finding, severity: 'warning' | 'error'): Diagnostic => ({
      from: Math.min(finding.from, length),
      to: Math.min(finding.to, length),
      severity,
      message: words.problem(finding),
    });
    return [
      ...warnings.value.map((finding) => mark(finding, 'warning')),
      ...findings.value.map((finding): Diagnostic => {
        const fix = fixOf(finding, doc);
        return {
          ...mark(finding, 'error'),
          ...(fix !== undefined && { actions: [{ name: words.fix(fix), apply: () => applyFix(fix) }] }),
        };
      }),
    ];
  }

  return { findings, warnings, bySection, diagnostics };
}
