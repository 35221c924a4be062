/** Facts about a device from the documents that it showed last. Pure. */
import { decode, findField, findOperation, getValueAt, rootField } from '#protocol/index.ts';
import { DEVICE_PARTS, listFactFields, type KnownFact, type KnownFacts } from '#shared/device-facts.ts';
import type { SnapshotDocument } from '#shared/snapshots.ts';
import { BASIC, concludeChains, SCHEDULE, TRIGGER, USUAL_EVENT } from '../alarms/alarm-chain.ts';
import { findGateFaults } from '../flow/gate/faults.ts';
import { DIAL, INFRARED, PARTS, STATUS } from '../flow/gate/readings.ts';
import { buildFact, listFirstFacts } from '../report-files/facts.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';

interface Known {
  readonly operation: string;
  readonly params: SnapshotDocument['params'];
  readonly value: unknown;
}

/** Largest number of values that a document without named fields tells. */
const MOST = 6;

/** Returns the facts of all parts. `here`: time of this computer; `zone`: its offset from UTC in minutes. */
export function buildKnownFacts(
  documents: readonly SnapshotDocument[],
  now: { readonly here: number; readonly zone: number },
): KnownFacts {
  const known = documents.flatMap(toKnown);
  const at = documents.reduce((latest, { until }) => (until > latest ? until : latest), '');
  return {
    ...(at !== '' && { at }),
    facts: [...known.flatMap(listFieldFacts), ...listGateFaults(known)],
    chains: listOf(known, `${BASIC}.get`).flatMap(({ params, value }) => {
      const channel = Number(params['channelID']);
      const isOwn = (one: Known): boolean => Number(one.params['channelID']) === channel;
      const schedule = listOf(known, `${SCHEDULE}.get`).find(isOwn)?.value;
      const triggers = listOf(known, `${TRIGGER}.get`).filter(isOwn);
      return concludeChains(
        {
          channel,
          basic: value,
          schedule,
          triggers: triggers.map((one) => ({ preset: Number(one.params['presetID']), value: one.value })),
        },
        { ...now, device: undefined, eventSeconds: USUAL_EVENT },
      );
    }),
  };
}

function toKnown({ operation: id, params, text }: SnapshotDocument): readonly Known[] {
  const payload = findOperation(id)?.response;
  if (payload === undefined) return [];
  try {
    return [{ operation: id, params, value: decode(payload, text).value }];
  } catch {
    // A document that its definition cannot read says nothing here.
    return [];
  }
}

function listOf(known: readonly Known[], operation: string): readonly Known[] {
  return known.filter((one) => one.operation === operation);
}

function listFieldFacts({ operation: id, params, value }: Known): readonly KnownFact[] {
  return DEVICE_PARTS.flatMap((part): readonly KnownFact[] => {
    const fields = listFactFields(part, id);
    if (fields === undefined) return [];
    const operation = getSpecifiedOperation(id);
    const at = { part, operation: id, params };
    if (fields.length === 0)
      return listFirstFacts(operation, value, MOST).facts.map((fact) => ({ ...at, path: '', ...fact }));
    const root = operation.response && rootField(operation.response);
    return fields
      .filter((path) => root && findField(root, path) && (getValueAt(value, path) ?? '') !== '')
      .map((path) => ({ ...at, path, ...toFact(id, path, value) }));
  });
}

function listGateFaults(known: readonly Known[]): readonly KnownFact[] {
  const [status, infrared, parts, dial] = [STATUS, INFRARED, PARTS, DIAL].map(
    (operation) => listOf(known, operation)[0]?.value,
  );
  const readings = { status, infrared, parts, dial } as Parameters<typeof findGateFaults>[0];
  return findGateFaults(readings).map(({ operation, path }) => ({
    part: 'gate',
    operation,
    path,
    params: {},
    isFault: true,
    ...toFact(operation, path, listOf(known, operation)[0]?.value),
  }));
}

function toFact(operation: string, path: string, value: unknown): Pick<KnownFact, 'label' | 'value'> {
  const fact = buildFact(getSpecifiedOperation(operation), path, value);
  return { label: fact.label, value: fact.value };
}
