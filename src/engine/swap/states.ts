/** States of devices, kept for the day a device dies, and put onto another one. */
import { randomBytes } from 'node:crypto';
import type { CaptureEvent } from '#shared/template/authoring.ts';
import type { SavedState } from '#shared/history.ts';
import type { CaptureRequest, StatesApi } from '../api/routes.ts';
import type { Store } from '../store/index.ts';
import { createStateRows } from './state-rows.ts';
import { swapState, type SwapOptions } from './swap.ts';

interface StatesOptions extends Omit<SwapOptions, 'rows'> {
  readonly store: Store;
  readonly capture: (request: CaptureRequest, signal: AbortSignal) => AsyncIterable<CaptureEvent>;
  readonly user: string;
}

const NAME_LENGTH = 200;

export function createStates(options: StatesOptions): StatesApi {
  const { store, clock, devices, user, capture } = options;
  const rows = createStateRows(store);

  async function* save(
    request: Parameters<StatesApi['save']>[0],
    signal: AbortSignal,
  ): ReturnType<StatesApi['save']> {
    for await (const event of capture({ deviceId: request.deviceId }, signal)) {
      yield event;
      if (event.type !== 'template') continue;
      // Capturing may just have learnt what kind it is.
      const { id: deviceId, name: deviceName, url, kinds } = devices.find(request.deviceId);
      const name = (request.name ?? deviceName).trim().slice(0, NAME_LENGTH);
      const state: SavedState = {
        id: `s-${randomBytes(6).toString('hex')}`,
        name: name === '' ? deviceName : name,
        deviceId,
        deviceName,
        url,
        kinds,
        at: clock.now().toISOString(),
        by: user,
        sections: event.summary.sections.length,
      };
      rows.save(state, { text: event.text, values: event.values, sections: event.sections });
      yield { type: 'state', state };
    }
  }

  return {
    list: rows.list,
    save,
    show(id) {
      const {
        state,
        body: { text, values },
      } = rows.read(id);
      return { ...state, text, values };
    },
    remove: rows.remove,
    swap: (request, signal) => swapState({ ...options, rows }, request, signal),
  };
}
