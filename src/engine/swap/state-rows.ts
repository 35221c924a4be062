/** Saved states of devices in the database. Their bodies hold no secrets: capturing leaves them out. */
import type { CapturedSection } from '#shared/template/authoring.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { SavedState } from '#shared/history.ts';
import type { DeviceKind } from '#shared/model.ts';
import type { StatesApi } from '../api/routes.ts';
import type { Store } from '../store/index.ts';
import { readOwnJson } from '#shared/read-json.ts';

export interface StateBody {
  /** The template that capturing gave. */
  readonly text: string;
  /** Values of its variables, read from this device. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly sections: readonly CapturedSection[];
}

export interface StateRows {
  list(): readonly SavedState[];
  save(state: SavedState, body: StateBody): void;
  /** Reads a state by its id or a unique prefix of it. @throws `not-found` */
  read(id: string): { readonly state: SavedState; readonly body: StateBody };
  remove: StatesApi['remove'];
}

interface StateRow {
  readonly id: string;
  readonly name: string;
  readonly device_id: string;
  readonly device_name: string;
  readonly url: string;
  readonly kinds: string;
  readonly at: string;
  readonly by_user: string;
  readonly sections: number;
  readonly body: string;
}

const COLUMNS = 'id, name, device_id, device_name, url, kinds, at, by_user, sections';

export function createStateRows(store: Store): StateRows {
  return {
    list: () =>
      store.all<StateRow>(`SELECT ${COLUMNS} FROM saved_states ORDER BY at DESC, rowid DESC`).map(toState),
    save(state, body) {
      const text = JSON.stringify(body);
      store.requireRoom(text.length);
      store.run(
        `INSERT INTO saved_states (${COLUMNS}, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        state.id,
        state.name,
        state.deviceId,
        state.deviceName,
        state.url,
        JSON.stringify(state.kinds),
        state.at,
        state.by,
        state.sections,
        text,
      );
    },
    read(id) {
      const found = store.all<StateRow>(
        `SELECT ${COLUMNS}, body FROM saved_states WHERE substr(id, 1, ?) = ? LIMIT 2`,
        id.length,
        id,
      );
      const only = found.length === 1 ? found[0] : found.find((row) => row.id === id);
      if (only === undefined || id === '')
        throw userError('not-found', say(found.length > 1 ? 'saved-states' : 'no-saved-state', { id }));
      return { state: toState(only), body: readOwnJson(only.body) as StateBody };
    },
    remove: ({ id }) => ({ removed: store.remove('saved_states', { id }).changes > 0 }),
  };
}

function toState(row: StateRow): SavedState {
  return {
    id: row.id,
    name: row.name,
    deviceId: row.device_id,
    deviceName: row.device_name,
    url: row.url,
    kinds: readOwnJson(row.kinds) as DeviceKind[],
    at: row.at,
    by: row.by_user,
    sections: row.sections,
  };
}
