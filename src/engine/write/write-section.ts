/** One section written to a device: over what the device holds, and judged by what it shows afterwards. */
import { sayWithReason, someOf } from '../../shared/details.ts';
import { deviceReason } from '../../shared/device-reason.ts';
import { defined } from '../../shared/defined.ts';
import type { ErrorShape, StatusReport } from '../../shared/errors.ts';
import type { Change, UnitNote, UnitOutcome } from '../../shared/model.ts';
import type { Clock } from '../api/host.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { DeviceClient } from '../device/client-types.ts';
import type { Desired, DeviceState } from '../plan/desired.ts';
import type { SectionReader } from '../plans/read-section.ts';
import type { ResolvedSection } from '../template/document.ts';
import { holdsSecrets } from './holds-secrets.ts';
import { settleWrite, type Conclusion, type Seen } from './settle-write.ts';

export interface WriteRequest {
  readonly section: ResolvedSection;
  /** Returns what a device that shows this should hold; no changes: nothing is left to do. */
  readonly want: (state: DeviceState) => Desired;
  readonly desired: Desired;
  /** Address, for errors. */
  readonly device: string;
  /** It was sent before, by an earlier run, and may still arrive. */
  readonly sentBefore?: boolean;
}

interface WriteContext {
  readonly client: DeviceClient;
  readonly reader: SectionReader;
  readonly clock: Clock;
  /** Does not abort for a cancel: what is under way is finished. */
  readonly signal: AbortSignal;
  /** Resolves when the intent is durable. */
  readonly intent: (sent: string) => Promise<void>;
  readonly phase: (phase: 'writing' | 'verifying') => void;
}

/** What became of a section. */
export interface Verdict {
  readonly outcome: UnitOutcome;
  readonly status?: StatusReport;
  readonly error?: ErrorShape;
  readonly note?: UnitNote;
  /** The document that the device showed afterwards. */
  readonly shown?: string;
  /** The device cannot be worked on any further. */
  readonly stop?: ErrorShape;
}

/** A document of the device, with what would still have to change in it. */
export interface ShownSection {
  readonly text: string;
  readonly desired: Desired;
}

/** Writes a section and says what became of it. Never throws. */
export async function writeSection(request: WriteRequest, context: WriteContext): Promise<Verdict> {
  const { section, device } = request;
  const { client, reader, signal } = context;
  const operation = section.resource.put;
  // A secret is for the device as it stood in the plan that somebody looked at.
  const place = holdsSecrets(section.resource) ? { address: device } : {};
  let { desired } = request;

  const { outcome, status, error, stop, shown, after } = await settleWrite<ShownSection>({
    ...context,
    operation,
    device,
    look: () => lookAtSection({ section, want: request.want, desired }, reader),
    ...defined({ sentBefore: request.sentBefore }),
    intend: (held) => {
      desired = held?.desired ?? desired;
      return context.intent(desired.text);
    },
    send: () => client.write(operation, section.params, desired.text, { signal, ...place }),
  });
  return {
    outcome,
    ...defined({
      status,
      stop,
      shown: shown?.text,
      error:
        outcome === 'ignored' && shown !== undefined
          ? stillOld(visible(shown.desired.changes), { section, device, desired }, { after, status })
          : error,
    }),
  };
}

/** Reads a section and says what the device shows of a write. Throws where it cannot be read. */
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

/** Compares what is left to change with what was to change. */
function compare(left: readonly Change[], wanted: readonly Change[]): Seen['kind'] {
  if (left.length === 0) return 'taken';
  if (visible(wanted).length === 0) return 'hidden';
  if (visible(left).length === 0) return 'unproved';
  return canonicalJson(left) === canonicalJson(wanted) ? 'untouched' : 'differs';
}

/** Returns the changes that a device would show: secrets are written and never shown again. */
export function visible(left: readonly Change[]): readonly Change[] {
  return left.filter((change) => change.sensitive !== true);
}

/** Returns the error of a write that the device does not show: `left` is what would still have to change. */
export function stillOld(
  left: readonly Change[],
  { section, device, desired }: Pick<WriteRequest, 'section' | 'device' | 'desired'>,
  { after = 'ok', status }: Pick<Conclusion, 'after' | 'status'>,
): ErrorShape {
  const how = `old-after-${after}` as const;
  const part = left.length < visible(desired.changes).length ? '-in-part' : '';
  const [first] = left;
  return {
    code: 'refused',
    source: 'app',
    operation: section.resource.put.id,
    device,
    ...defined({ path: first?.path }),
    // A device that refuses and keeps a part of it all the same says why.
    ...sayWithReason(deviceReason(status), `${how}${part}`, { names: someOf(left.map(({ path }) => path)) }),
  };
}
