/** Reading what a section sets, and the limits the device reports for it. */
import { say } from '#shared/details.ts';
import { createRefusal, type Operation } from '#protocol/index.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import type { DeviceClient, ReadAnswer } from '../device/client-types.ts';
import { limitParams, readWriteLimits, readLimits } from '../device/limits.ts';
import { readPatiently, type PatientRead } from '../device/transport/patient-read.ts';
import type { DeviceState } from './pure/desired.ts';
import type { ReportedLimits, SectionRead } from './pure/plan-section.ts';
import { hashSha256 } from '../text/sha256.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import type { ResolvedSection } from '../template/document.ts';
import { computeOncePer } from '#shared/once.ts';

export interface SectionReader {
  /** Throws what the client throws: no answer, no sign-in, an unreadable answer. */
  read(section: ResolvedSection): Promise<SectionRead>;
  /** Capabilities are asked for once per device and run. */
  limits(section: ResolvedSection, state: DeviceState): Promise<ReportedLimits>;
  readonly shown: DeviceClient['shown'];
}

interface ReaderOptions extends PatientRead {
  /** Address, for errors. */
  readonly device: string;
}

export function createReader(options: ReaderOptions): SectionReader {
  const limits = new Map<string, Promise<ReportedLimits>>();
  function claims(
    capability: Operation,
    params: Params,
    read: Parameters<typeof readLimits>[2],
  ): Promise<ReportedLimits> {
    const key = `${capability.id} ${encodeCanonicalJson(limitParams(capability, params))}`;
    const known = limits.get(key) ?? readLimits(capability, params, read);
    limits.set(key, known);
    return known;
  }
  return {
    shown: options.client.shown,
    read: (section) => readSection(section, options),
    limits({ resource: { capability, get, put }, params }, state) {
      const read = (operation: Operation, given: Params): Promise<ReadAnswer> =>
        readPatiently(operation, given, options);
      const isOwn = put.reported?.by === get.id;
      return readWriteLimits({
        operation: put,
        params,
        read,
        ...(isOwn && { replaced: state.document }),
        ...(capability !== undefined && { claimed: claims(capability, params, read) }),
      });
    },
  };
}

/** Devices of one model answer alike: what they share is one document. */
const fingerprintOf = computeOncePer((document: NonNullable<ReadAnswer['document']>) =>
  hashSha256(document.text),
);

async function readSection(section: ResolvedSection, options: ReaderOptions): Promise<SectionRead> {
  const operation = section.resource.get;
  const answer = await readPatiently(operation, section.params, options);
  const place = { operation: operation.id, device: options.device };
  if (answer.lossy) return { kind: 'refused', error: unreadableBytes(place) };
  if (answer.document !== undefined)
    return {
      kind: 'state',
      state: { document: answer.document, value: answer.value },
      sha256: fingerprintOf(answer.document),
    };
  // Hundreds of devices lack what others have: that is an answer, and needs no proof.
  if (answer.status.kind === 'unsupported')
    return { kind: 'unsupported', error: createRefusal(answer.status, place) };
  return {
    kind: 'refused',
    error: createRefusal(answer.status, { ...place, exchange: answer.exchange() }),
  };
}

/** A write replaces the whole document, so what could not be read would be lost on the device. */
function unreadableBytes(place: { readonly operation: string; readonly device: string }): ErrorShape {
  return {
    ...place,
    code: 'malformed-answer',
    source: 'device',
    ...say('charset-broken'),
  };
}
