/** Writes one section to a device: merged into its document, and checked by what it shows afterwards. */
import { sayWithReason, formatSomeNames } from '#shared/details.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ErrorShape, StatusReport } from '#shared/errors.ts';
import type { Change, UnitNote, UnitOutcome } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DeviceClient } from '../device/client-types.ts';
import type { Desired, DeviceState } from '../planning/pure/desired.ts';
import { changeKey } from '../planning/pure/drift.ts';
import type { SectionReader } from '../planning/read-section.ts';
import type { ResolvedSection } from '../template/document.ts';
import { holdsSecrets } from './holds-secrets.ts';
import { settleWrite, type Conclusion, type Seen } from './settle-write.ts';

export interface WriteRequest {
  readonly section: ResolvedSection;
  /** Returns the desired document for the given state of the device; without changes if there is nothing to do. */
  readonly want: (state: DeviceState) => Desired;
  readonly desired: Desired;
  /** Address of the device, for errors. */
  readonly device: string;
  /** True if an earlier run sent the write, so that it may still arrive. */
  readonly sentBefore?: boolean;
}

interface WriteContext {
  readonly client: DeviceClient;
  readonly reader: SectionReader;
  readonly clock: Clock;
  /** Does not abort on a cancel: requests under way are finished. */
  readonly signal: AbortSignal;
  /** Resolves when the intent is durable. */
  readonly intent: (sent: string) => Promise<void>;
  readonly phase: (phase: 'writing' | 'verifying') => void;
}

export interface Verdict {
  readonly outcome: UnitOutcome;
  readonly status?: StatusReport;
  readonly error?: ErrorShape;
  readonly note?: UnitNote;
  /** Other settings that the write may have lost. */
  readonly warnings?: readonly ErrorShape[];
  /** Document that the device showed afterwards. */
  readonly shown?: string;
  /** Why the device cannot be used any further, if so. */
  readonly stop?: ErrorShape;
}

/** A document of the device, with the changes that are still missing in it. */
export interface ShownSection {
  readonly text: string;
  readonly desired: Desired;
}

/** Writes a section and returns the outcome. Never throws. */
export async function writeSection(request: WriteRequest, context: WriteContext): Promise<Verdict> {
  const { section, device } = request;
  const { client, reader, signal } = context;
  const operation = section.resource.put;
  // A secret goes only to the address in the plan that the person reviewed.
  const place = holdsSecrets(section.resource) ? { address: device } : {};
  let { desired } = request;

  const { outcome, status, error, stop, shown, after } = await settleWrite<ShownSection>({
    ...context,
    operation,
    device,
    look: () => lookAtSection({ section, want: request.want, desired }, reader),
    sentBefore: request.sentBefore,
    intend: (held) => {
      desired = held?.desired ?? desired;
      return context.intent(desired.text);
    },
    send: () => client.write(operation, section.params, desired.text, { signal, ...place }),
  });
  return {
    outcome,
    status,
    stop,
    shown: shown?.text,
    error:
      outcome === 'ignored' && shown !== undefined
        ? createNotEffectiveError(
            filterVisibleChanges(shown.desired.changes),
            { section, device, desired },
            { after, status },
          )
        : error,
  };
}

/** Reads a section and checks whether it shows the write. Throws if it cannot be read. */
export async function lookAtSection(
  { section, want, desired }: Pick<WriteRequest, 'section' | 'want' | 'desired'>,
  reader: Pick<SectionReader, 'read'>,
): Promise<Seen<ShownSection>> {
  const read = await reader.read(section);
  if (read.kind !== 'state') return { kind: 'hidden' };
  const { text } = read.state.document;
  // Most devices show exactly what they were sent.
  if (text === desired.text) return { kind: 'taken', shown: { text, desired: { ...desired, changes: [] } } };
  const shown = { text, desired: want(read.state) };
  return { kind: compare(shown.desired.changes, desired.changes), shown };
}

/** Compares the remaining changes with the requested ones. */
function compare(left: readonly Change[], wanted: readonly Change[]): Seen['kind'] {
  if (left.length === 0) return 'taken';
  if (filterVisibleChanges(wanted).length === 0) return 'hidden';
  if (filterVisibleChanges(left).length === 0) return 'unproved';
  return left.length === wanted.length &&
    left.every((change, at) => changeKey(change) === changeKey(wanted[at] ?? change))
    ? 'untouched'
    : 'differs';
}

/** Returns the changes that a device would show: secrets are written and never shown again. */
export function filterVisibleChanges(left: readonly Change[]): readonly Change[] {
  return left.filter((change) => change.sensitive !== true);
}

/** Returns the error of a write that the device does not show; `left`: the changes that are still missing. */
export function createNotEffectiveError(
  left: readonly Change[],
  { section, device, desired }: Pick<WriteRequest, 'section' | 'device' | 'desired'>,
  { after = 'ok', status }: Pick<Conclusion, 'after' | 'status'>,
): ErrorShape {
  const how = `old-after-${after}` as const;
  const part = left.length < filterVisibleChanges(desired.changes).length ? '-in-part' : '';
  const [first] = left;
  return {
    code: 'refused',
    source: 'app',
    operation: section.resource.put.id,
    device,
    ...removeUndefined({ path: first?.path }),
    // A device that refuses but keeps a part of the values says why.
    ...sayWithReason(formatDeviceReason(status), `${how}${part}`, {
      names: formatSomeNames(left.map(({ path }) => path)),
    }),
  };
}
