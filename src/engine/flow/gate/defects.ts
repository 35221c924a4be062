/** Open points with owner and date, from what failed and from what people add; an unsafe gate gets a notice of its own. */
import type { OpenPoint, DocumentText } from '#shared/report-document.ts';
import { getFindings, type Finding } from '../common/findings.ts';
import type { FlowField, FlowStep, StepContext, Values } from '../flow.ts';
import { DIAL, type GateDial } from './readings.ts';

const STEPS = [
  'health',
  'beams',
  'parts',
  'modes',
  'controllers',
  'audio',
  'passes',
  'fire',
  'power',
  'safety',
];
const MOST = 100;

export const defects: FlowStep = {
  id: 'defects',
  title: { id: 'flow-gate-defects' },
  required: true,
  async run(step) {
    const found = await step.once('found', () => allFindings(step));
    const points: OpenPoint[] = [];
    for (const [index, { text, severity }] of found.entries()) {
      const answer = await step.ask(`found-${index + 1}`, {
        text: [{ id: 'flow-gate-defect-owner' }, text],
        tone: severity === 'unsafe' ? 'danger' : 'warning',
        isOccasional: true,
        fields: pointFields(index + 1, severity),
      });
      points.push(pointOf(text, index + 1, answer));
    }
    for (let nth = found.length + 1; nth <= MOST; nth += 1) {
      const answer = await step.ask(`more-${nth}`, {
        text: [{ id: 'flow-gate-defect-more' }],
        fields: [
          { name: `text-${nth}`, label: { id: 'flow-gate-defect-text' }, kind: 'text', maxLength: 500 },
          ...pointFields(nth, 'minor'),
        ],
      });
      const text = answer[`text-${nth}`] as string | undefined;
      if (text === undefined) break;
      points.push(pointOf(text, nth, answer));
    }
    if (points.length > 0) step.record({ block: 'openPoints', points });
    else step.record({ block: 'paragraph', text: { id: 'flow-gate-no-defects' } });
    if (points.some(({ severity }) => severity === 'unsafe')) await unsafeNotice(step);
    return { outcome: 'unchanged', did: 'done' };
  },
};

/**
 * Lists the findings of all steps, each once, and the states that must not remain: an untested fire release,
 * a gate in its test mode.
 */
async function allFindings(step: StepContext): Promise<readonly Finding[]> {
  const { workMode } = await step.read<GateDial>(DIAL);
  const all: readonly Finding[] = [
    ...STEPS.flatMap((id) => getFindings(step, id) ?? []),
    ...(getFindings(step, 'fire') === undefined
      ? [{ text: { id: 'flow-gate-fire-untested' } as DocumentText, severity: 'major' as const }]
      : []),
    ...(workMode === 'Debug'
      ? [{ text: { id: 'flow-gate-left-in-test' } as DocumentText, severity: 'major' as const }]
      : []),
  ];
  return [...new Map(all.map((finding) => [JSON.stringify(finding.text), finding])).values()];
}

function pointFields(nth: number, severity: Finding['severity']): readonly FlowField[] {
  return [
    {
      name: `severity-${nth}`,
      label: { id: 'report.severity' },
      kind: 'choice',
      value: severity,
      options: [
        { value: 'note', label: { id: 'report.severity.note' } },
        { value: 'minor', label: { id: 'report.severity.minor' } },
        { value: 'major', label: { id: 'report.severity.major' } },
        { value: 'unsafe', label: { id: 'report.severity.unsafe' } },
      ],
    },
    { name: `owner-${nth}`, label: { id: 'report.owner' }, kind: 'text', maxLength: 100 },
    { name: `due-${nth}`, label: { id: 'report.due' }, kind: 'date' },
  ];
}

function pointOf(text: DocumentText, nth: number, answer: Values): OpenPoint {
  return {
    text,
    severity: answer[`severity-${nth}`] as OpenPoint['severity'],
    owner: answer[`owner-${nth}`] as string | undefined,
    due: answer[`due-${nth}`] as string | undefined,
  };
}

async function unsafeNotice(step: StepContext): Promise<void> {
  const answer = await step.ask('unsafe', {
    text: [{ id: 'flow-gate-unsafe' }],
    tone: 'danger',
    fields: [
      { name: 'told', label: { id: 'flow-gate-unsafe-told' }, kind: 'text', required: true, maxLength: 200 },
      { name: 'outOfService', label: { id: 'flow-gate-unsafe-closed' }, kind: 'flag', value: false },
    ],
  });
  step.record(
    { block: 'paragraph', text: { id: 'flow-gate-unsafe' }, tone: 'danger' },
    {
      block: 'facts',
      facts: [
        {
          label: { id: 'flow-gate-unsafe-told' },
          value: answer['told'] as string,
          proof: 'attested',
          source: step.user,
        },
        {
          label: { id: 'flow-gate-unsafe-closed' },
          value: { yes: answer['outOfService'] === true },
          proof: 'attested',
          source: step.user,
        },
      ],
    },
  );
}
