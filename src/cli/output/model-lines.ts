/** A job of kind `model` while it runs: a line for each device and each step of its way. */
import type { DeviceResult, JobEvent } from '#shared/model.ts';
import { toMegabytes, computeModelProgress, getModelUnits } from '#shared/ai-models/ai-model-progress.ts';
import type { ModelProgress } from '#shared/ai-models/ai-models.ts';
import { cleanLine } from './clean.ts';
import { translateError } from './errors.ts';
import type { Output } from './output.ts';

export class ModelLines {
  #isModel = false;
  #devices: DeviceResult[] = [];
  readonly #shown = new Map<string, string>();

  /** True where the event is of such a job; what it says of a device is known from then on. */
  take(event: JobEvent): boolean {
    if (event.type === 'job' || event.type === 'end') {
      this.#isModel = event.job.kind === 'model';
      this.#devices = [...event.job.results];
    } else if (event.type === 'device') this.#put(event.device.deviceId, () => event.device);
    else if (event.type === 'unit')
      this.#put(event.deviceId, (device) => ({
        ...device,
        units: device.units.map((unit) => (unit.index === event.result.index ? event.result : unit)),
      }));
    return this.#isModel;
  }

  show(out: Output, event: JobEvent, all: boolean): void {
    if (event.type === 'job' && event.job.waitsFor !== undefined)
      out.note(out.say('cli.waiting', { id: event.job.waitsFor }));
    if (event.type !== 'unit' && event.type !== 'device') return;
    const id = event.type === 'unit' ? event.deviceId : event.device.deviceId;
    const device = this.#devices.find(({ deviceId }) => deviceId === id);
    if (device === undefined) return;
    const progress = computeModelProgress(device);
    if (!all) {
      if (!out.asJson) this.#showAll(out);
      return;
    }
    if (out.asJson) this.#showLine(out, device, progress);
    else this.#showStage(out, device, progress);
  }

  /** Scripts get a line whenever one of its numbers or its stage is another. */
  #showLine(out: Output, { deviceId, name, url, error }: DeviceResult, progress: ModelProgress): void {
    const { stage, served, received, percent, rate, eta = null } = progress;
    const line = {
      device: url,
      name,
      served,
      received,
      percent,
      rate,
      eta,
      stage,
      error,
    };
    const text = JSON.stringify({ served, received, percent, stage, error });
    if (this.#shown.get(deviceId) === text) return;
    this.#shown.set(deviceId, text);
    out.jsonLine(line);
  }

  /** People get a line whenever a device has come further. */
  #showStage(out: Output, { deviceId, name, error }: DeviceResult, progress: ModelProgress): void {
    const { stage, percent, rate } = progress;
    const tenth = stage === 'serving' ? Math.floor(percent / 10) : 0;
    const text = `${stage} ${tenth} ${error?.code ?? ''}`;
    if (this.#shown.get(deviceId) === text) return;
    this.#shown.set(deviceId, text);
    const words = out.say('model.cli.progress', {
      name: cleanLine(name),
      stage: out.say(`model.stage.${stage}`),
      percent,
      rate: toMegabytes(rate),
    });
    out.note(error === undefined ? words : `${words}: ${translateError(error, out).message}`);
  }

  #showAll(out: Output): void {
    const all = this.#devices.map(computeModelProgress);
    const sum = (of: (each: ModelProgress) => number): number => all.reduce((so, each) => so + of(each), 0);
    const [served, total, rate] = [
      sum((each) => each.served),
      sum((each) => each.total),
      sum((each) => each.rate),
    ];
    const done = this.#devices.filter(({ state }) => state === 'done' || state === 'failed').length;
    out.progress(
      out.say('model.cli.all', {
        done,
        devices: this.#devices.length,
        percent: total === 0 ? 0 : Math.floor((served / total) * 100),
        rate: toMegabytes(rate),
      }),
    );
  }

  #put(deviceId: string, change: (device: DeviceResult) => DeviceResult): void {
    this.#devices = this.#devices.map((device) => (device.deviceId === deviceId ? change(device) : device));
  }
}

/** The log of each device of such a job, as it was kept. */
export function printModelLog(out: Output, results: readonly DeviceResult[]): void {
  for (const device of results) {
    const [unit] = getModelUnits(device).filter(({ log = [] }) => log.length > 0);
    if (unit === undefined) continue;
    out.line(`\n${out.paint.strong(`${cleanLine(device.name)}: ${out.say('model.cli.log')}`)}`);
    for (const { at, text } of unit.log ?? [])
      out.line(`  ${at.slice(11, 19)}  ${cleanLine(out.sentence(text))}`);
    if (unit.logDropped !== undefined)
      out.line(`  ${out.say('model.cli.more-lines', { count: unit.logDropped })}`);
  }
}
