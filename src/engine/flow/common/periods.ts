/** A week's periods as a table of a record. */
import { getValueAt, type Operation } from '#protocol/index.ts';
import { buildFact, getOperationText } from '#engine/report-files/facts.ts';
import type { Block } from '#shared/report-document.ts';

export function buildPeriodsBlock(operation: Operation, document: unknown): Block {
  const list = getValueAt(document, 'TimeBlockList');
  const names = ['dayOfWeek', 'TimeRange.beginTime', 'TimeRange.endTime'];
  return {
    block: 'table',
    title: getOperationText(operation),
    columns: ['flow-thermal-day', 'flow-thermal-begin', 'flow-thermal-end'].map((id) => ({
      label: { id: id as 'flow-thermal-day' },
      type: 'text' as const,
    })),
    rows: (Array.isArray(list) ? list : []).map((_block, nth) =>
      names.map((name) => buildFact(operation, `TimeBlockList[${nth}].${name}`, document).value),
    ),
  };
}
