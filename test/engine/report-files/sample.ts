import { readReportFont } from '#engine/report-files/pdf.ts';
import { REPORT_FORMAT, type Block, type ReportDocument } from '#shared/report-document.ts';
import { fileURLToPath } from 'node:url';

/** A document with one block of each kind; `blocks` are a section of their own at the end. */
export function sampleDocument(blocks: readonly Block[] = []): ReportDocument {
  return {
    format: REPORT_FORMAT,
    kind: 'commissioning.gate',
    id: 'record-1',
    title: 'Gate 3, north entrance 北门三号通道',
    site: { name: '上海展览中心', address: 'Yan’an Middle Road 1000' },
    devices: [
      { name: 'Gate 3', address: 'http://10.0.0.3', model: 'GX-200', serial: 'SN 0042', firmware: 'V1.2.3' },
    ],
    at: '2026-03-01T09:30:00+08:00',
    zone: 'Asia/Shanghai',
    by: [{ name: '王小明', role: 'Installer', company: 'Fieldwork Ltd.' }],
    preparedWith: { name: 'Fieldwright', version: '0.1.0' },
    sections: [
      {
        title: 'Settings',
        blocks: [
          { block: 'paragraph', text: 'Written and read back on the first of March.' },
          {
            block: 'paragraph',
            tone: 'danger',
            text: 'The fire input does nothing: the lane must stay open.',
          },
          {
            block: 'facts',
            title: 'Before and after',
            facts: [
              {
                label: { root: 'GateStatus', path: 'busSync', label: 'Bus synchronised' },
                value: { yes: true },
                proof: 'read-back',
                source: { root: 'gate.status.get', label: 'Gate status' },
              },
              {
                label: 'Temperature',
                value: { number: 36.5, decimals: 2, unit: '°C' },
                proof: 'function-tested',
              },
              { label: 'Password', value: { isSet: true }, proof: 'written' },
              { label: 'Witness', value: 'Ms. Li', proof: 'attested', source: '李女士' },
              { label: 'Nothing', value: null },
            ],
            omitted: 3,
          },
          {
            block: 'table',
            title: 'Readings',
            columns: [
              { label: 'Set point', type: 'number', unit: '°C' },
              { label: 'When', type: 'time' },
              { label: 'Proof', type: 'proof' },
              { label: 'Result', type: 'result' },
              { label: 'Note', type: 'text' },
            ],
            rows: [
              [
                { number: 34, decimals: 1, unit: '°C' },
                { time: '2026-03-01T01:30:00Z' },
                { proof: 'attested' },
                { result: 'failed' },
                '读数稳定 — steady',
              ],
            ],
          },
        ],
      },
      {
        title: 'Tests',
        blocks: [
          {
            block: 'checklist',
            items: [
              {
                label: 'Fire release',
                result: 'failed',
                proof: 'function-tested',
                reason: 'No reaction within 5 s',
                at: '2026-03-01T10:00:00+08:00',
                by: '王小明',
              },
              { label: 'Mains loss', result: 'skipped', reason: 'No battery fitted' },
              { label: 'Beam 17', result: 'done', proof: 'function-tested' },
              { label: 'Obstruction', result: 'open' },
            ],
          },
          {
            block: 'plot',
            title: 'Readings against time',
            x: { label: 'Time', unit: 's' },
            y: { label: 'Temperature', unit: '°C', decimals: 2 },
            series: [
              {
                label: 'Set point 34 °C',
                draw: 'points',
                points: [
                  [0, 34.1],
                  [10, 34.2],
                  [20, 34.15],
                  [30, 34.3],
                ],
              },
              {
                label: 'Set point 38 °C',
                draw: 'line',
                points: [
                  [0, 38.1],
                  [10, 38.3],
                  [20, 38.2],
                  [30, 38.4],
                ],
              },
              {
                label: '第三组',
                draw: 'points',
                points: [
                  [0, 36],
                  [15, 36.2],
                  [30, 36.1],
                ],
                omitted: 7,
              },
            ],
            limits: [{ label: 'Upper limit', at: 38.5 }],
            twin: 'All three rise by 0.2 °C within half a minute.',
          },
          {
            block: 'group',
            title: 'The lane',
            blocks: [
              {
                block: 'drawing',
                title: 'Beams of the lane',
                width: 400,
                height: 120,
                shapes: [
                  { shape: 'rect', x: 10, y: 30, width: 380, height: 60 },
                  { shape: 'circle', x: 60, y: 60, r: 12, state: 'good' },
                  { shape: 'circle', x: 120, y: 60, r: 12, state: 'warning' },
                  { shape: 'circle', x: 180, y: 60, r: 12, state: 'bad' },
                  { shape: 'circle', x: 240, y: 60, r: 12, state: 'off' },
                  {
                    shape: 'path',
                    points: [
                      [300, 40],
                      [340, 80],
                      [380, 40],
                    ],
                    closed: true,
                    state: 'good',
                  },
                  { shape: 'text', x: 200, y: 20, text: 'Entrance 入口', anchor: 'middle' },
                ],
                twin: [
                  { label: 'Beam 1', value: 'clear' },
                  { label: 'Beam 3', value: 'stuck' },
                ],
              },
            ],
          },
          {
            block: 'openPoints',
            points: [
              { text: 'Connect the fire input', severity: 'unsafe', owner: 'Electrician', due: '2026-03-08' },
            ],
          },
        ],
      },
      {
        title: 'Acceptance',
        blocks: [
          {
            block: 'signatures',
            signatures: [
              {
                name: '王小明',
                role: 'Installer',
                at: '2026-03-01T11:00:00+08:00',
                statement: 'Tested as written above.',
              },
              { name: 'Ms. Li', statement: 'Received.' },
            ],
          },
        ],
      },
      ...(blocks.length === 0 ? [] : [{ title: 'More', blocks }]),
    ],
  };
}

export const font = await readReportFont(fileURLToPath(new URL('../../../resources', import.meta.url)));

/** All bytes of a stream. */
export async function gathered(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
