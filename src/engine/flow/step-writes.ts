/**
 * Writes of a step: settings and single calls. Each is shown and confirmed, journalled, settled like every write, and
 * followed through the restart that it may need. What is known of it is kept, so that the next run of the step sends
 * nothing again that the device may have taken.
 */
import { say } from '#shared/details.ts';
import { appError, FieldwrightError } from '#shared/errors.ts';
import type { Change } from '#shared/model.ts';
import { computeDesiredState } from '../planning/pure/desired.ts';
import { planOne, maskChanges, type PlannedSection } from '../planning/plan-sections.ts';
import { createReader, type SectionReader } from '../planning/read-section.ts';
import { getSpecifiedOperation } from '../operations/specified.ts';
import { settleWrite, type Seen } from '../write/settle-write.ts';
import { holdsSecrets } from '../write/holds-secrets.ts';
import { filterVisibleChanges, writeSection } from '../write/write-section.ts';
import { WriteSettler, type StepWrite, type Look } from './write-settler.ts';
import type { Call, Question, Setting, Written } from './flow.ts';
import { toResolvedSection, describeUnwritable, removeSecrets, type KeptSetting } from './setting.ts';
import type { StepHands } from './step-hands.ts';

/** Journal entry of a setting: its outcome, and its values without secrets. */
export interface KeptWrite {
  readonly written: Written;
  readonly setting: KeptSetting;
}
interface SentWrite {
  readonly changes: readonly Change[];
}
/** Journal entry of a write that is about to be sent; `secret` names the secret that went along. */
type KeptCall = Written & { readonly secret?: string };

/** Signal that never aborts: a write that has begun is finished. */
const NEVER = new AbortController().signal;

export class StepWrites {
  readonly #hands: StepHands;
  readonly #settler: WriteSettler;

  constructor(hands: StepHands) {
    this.#hands = hands;
    this.#settler = new WriteSettler(hands);
  }

  async call(
    key: string,
    make: () => Call,
    changes: readonly Change[],
    question: Question,
  ): Promise<Written> {
    const { find, put, confirm, options } = this.#hands;
    const { device, job, prepare } = options;
    const name = `call:${key}`;
    const known = find(name)?.value as KeptCall | undefined;
    if (known !== undefined && isCertain(known)) {
      const { secret: made, ...written } = known;
      this.#settler.succeed(written, made === undefined ? undefined : { name: made });
      return written;
    }
    const { mayRefuse = false, isTrial = false, look: lookAtIt, secret, noUndo, ...request } = make();
    const operation = getSpecifiedOperation(request.operation);
    const look = lookOf(lookAtIt);
    const one: StepWrite = {
      name,
      operation: operation.id,
      place: {
        set: operation.id,
        params: request.params ?? {},
        label: operation.label,
        sensitive: false,
        noUndo,
      },
      changes,
      root: operation.request?.root ?? operation.id,
      secret,
      mayRefuse,
      isTrial,
      sentBefore: find(`${name}#sent`) !== undefined,
      look,
      taken: 'effective',
      lookAfterRestart: look,
      keep: (written) =>
        put(name, {
          ...written,
          ...(secret && { secret: secret.name }),
        } satisfies KeptCall),
    };
    if (known?.outcome === 'needs-reboot') return isTrial ? known : this.#settler.afterRestart(one, known);
    if (one.sentBefore && (look !== undefined || !operation.idempotent)) {
      // The call may have arrived, and repeating it may have a second effect.
      const found = await this.#settler.findOut(one, known?.error);
      if (found !== undefined) return found;
    }
    if (!one.sentBefore || known !== undefined)
      await confirm(key, question, { set: operation.id, changes, noUndo });
    const { send } = await prepare({ deviceId: device.id, ...request }, { signal: job.job.stopped });
    const settled = await settleWrite({
      operation,
      device: device.url,
      look,
      sentBefore: one.sentBefore,
      intend: () => this.#settler.intend(one, true),
      send: () => send({ signal: NEVER }),
      clock: job.clock,
      signal: NEVER,
    });
    return this.#settler.conclude(one, settled, settled.outcome === 'effective' ? 'read-back' : 'written');
  }

  /** `key` also names the question and, with `write:`, the effect. */
  async write(key: string, setting: Setting, question: Question): Promise<Written> {
    const { find, put, confirm, options } = this.#hands;
    const { job, device } = options;
    const name = `write:${key}`;
    const known = find(name)?.value as KeptWrite | undefined;
    if (known !== undefined && isCertain(known.written)) {
      this.#settler.succeed(known.written, setting.secret);
      return known.written;
    }
    const section = toResolvedSection(setting);
    const operation = section.resource.put;
    const client = job.clients.get(device.id);
    const reader = createReader({ client, clock: job.clock, signal: NEVER, device: device.url });
    const earlier = find(`${name}#sent`)?.value as SentWrite | undefined;
    const writeOf = (changes: readonly Change[], kept: Omit<KeptWrite, 'written'>): StepWrite => ({
      name,
      operation: operation.id,
      place: {
        set: setting.set,
        params: setting.params ?? {},
        label: section.resource.get.label,
        sensitive: holdsSecrets(section.resource),
        noUndo: setting.noUndo,
      },
      changes,
      root: operation.request.root ?? operation.id,
      secret: setting.secret,
      mayRefuse: false,
      isTrial: false,
      sentBefore: earlier !== undefined,
      look: lookOf(setting.look),
      // `look` is given only where the document itself cannot prove the write.
      taken: 'accepted',
      lookAfterRestart: () => lookAtSection(section, reader, device.url),
      keep: (written) => put(name, { ...kept, written } satisfies KeptWrite),
    });
    if (known?.written.outcome === 'needs-reboot')
      return this.#settler.afterRestart(writeOf(known.written.changes, known), known.written);

    const planned = await planOne(section, reader, device.url);
    const { plan, desired, patch } = planned;
    const [problem] = plan.problems;
    if (desired === undefined) throw new FieldwrightError(problem ?? describeUnwritable(setting, device.url));
    const kept = { setting: removeSecrets(setting, desired.value) };
    if (earlier !== undefined && setting.look !== undefined) {
      const found = await this.#settler.findOut(writeOf(earlier.changes, kept), known?.written.error);
      if (found !== undefined) return found;
    }
    if (plan.changes.length === 0)
      return this.#settler.done(
        writeOf(earlier?.changes ?? [], kept),
        earlier === undefined
          ? { outcome: 'unchanged', proof: 'read-back' }
          : { outcome: 'effective', proof: 'read-back', settled: true },
        planned.read.kind === 'state' ? planned.read.state.document.text : undefined,
      );
    const isAsked = earlier === undefined || known !== undefined;
    const changes = isAsked ? maskChanges(plan.changes, client.shown) : earlier.changes;
    if (isAsked)
      await confirm(name, question, {
        set: setting.set,
        changes,
        noUndo: setting.noUndo,
      });
    // The confirmation took time: the write is planned again from what the device shows now.
    const now = isAsked ? await planOne(section, reader, device.url, planned) : planned;
    const isAsShown =
      (isAsked && now === planned) ||
      JSON.stringify(maskChanges(now.plan.changes, client.shown)) === JSON.stringify(changes);
    if (now.desired === undefined || !isAsShown)
      throw appError('plan-outdated', say('flow-changed-meanwhile'), { device: device.url });
    const one = writeOf(changes, kept);
    const before = now.read.kind === 'state' ? now.read.state.document.text : undefined;
    const verdict = await writeSection(
      {
        section,
        desired: now.desired,
        device: device.url,
        want: (state) => computeDesiredState(operation.request, patch, state),
        sentBefore: one.sentBefore,
      },
      {
        client,
        reader,
        clock: job.clock,
        signal: NEVER,
        intent: (sent) =>
          this.#settler.intend(one, { changes } satisfies SentWrite, {
            sent,
            renew: earlier === undefined,
            before,
          }),
        phase: () => undefined,
      },
    );
    // A document that was read back proves everything except secrets.
    return this.#settler.conclude(one, verdict, verdict.shown === undefined ? 'written' : 'read-back');
  }
}

/** Returns whether the outcome is final. */
function isCertain({ outcome }: Written): boolean {
  return outcome !== 'unknown' && outcome !== 'needs-reboot';
}

function lookOf(look: Setting['look']): Look | undefined {
  return look && (async () => ({ kind: await look(), shown: undefined }));
}

/** Reads a section and compares it with the desired one; secrets are never shown. */
async function lookAtSection(
  section: PlannedSection['section'],
  reader: SectionReader,
  device: string,
): Promise<Seen<string | undefined>> {
  const { desired, plan, read } = await planOne(section, reader, device);
  if (desired === undefined) return { kind: 'hidden' };
  const shown = read.kind === 'state' ? read.state.document.text : undefined;
  if (plan.changes.length === 0) return { kind: 'taken', shown };
  return {
    kind: filterVisibleChanges(plan.changes).length === 0 ? 'unproved' : 'untouched',
    shown,
  };
}
