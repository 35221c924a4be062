/** A week's periods as a table of a record. */
import { valueAt, type Operation } from '#protocol/index.ts';
import { factOf, operationText } from '#engine/report-files/facts.ts';
import type { Block } from '#shared/report-document.ts';

export function periods(operation: Operation, document: unknown): Block {
  const list = valueAt(document, 'TimeBlockList');
  const names = ['dayOfWeek', 'TimeRange.beginTime', 'TimeRange.endTime'];
  return {
    block: 'table',
    title: operationText(operation),
    columns: ['flow-thermal-day', 'flow-thermal-begin', 'flow-thermal-end'].map((id) => ({
      label: { id: id as 'flow-thermal-day' },
      type: 'text' as const,
    })),
    rows: (Array.isArray(list) ? list : []).map((_block, nth) =>
      names.map((name) => factOf(operation, `TimeBlockList[${nth}].${name}`, document).value),
    ),
  };
}
