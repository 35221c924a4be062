import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useWorkspace } from '#renderer/features/device/workspace/workspace.store.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { DeviceCapabilities } from '#shared/model.ts';
import { useFakeClient } from './fake-client.ts';
import { device } from './samples.ts';

const claims: DeviceCapabilities = {
  deviceId: '1',
  name: 'Gate',
  url: 'http://192.0.2.1',
  kinds: ['gate'],
  problems: [],
  limits: [],
  flags: [
    { operation: 'gate.capabilities.get', path: 'isSupportBasicCfg', label: 'Basic settings', state: 'true' },
  ],
};
const probes: DeviceCapabilities['probes'] = [
  { operation: 'gate.status.get', answered: true, status: { http: 200 } },
];

beforeEach(() => {
  setActivePinia(createPinia());
});

describe('opening a workspace', () => {
  it('reads the documents once and keeps them beside the probes (else: twice the requests, or no limits)', async () => {
    const client = useFakeClient({
      'operations.capabilities': ({ documents }: { readonly documents?: boolean }) =>
        documents === false ? { ...claims, flags: [], probes } : claims,
    });
    const workspace = useWorkspace();

    workspace.open('1');
    workspace.open('1');
    await vi.waitFor(() => {
      expect(workspace.reading).toBe(false);
    });

    expect(client.calls.map(({ input }) => input)).toEqual([
      { deviceId: '1' },
      { deviceId: '1', probe: true, documents: false },
    ]);
    expect(workspace.capabilities).toEqual({ ...claims, probes });
  });

  it('shows what was found until all of it was read again (else: areas vanish and come back)', async () => {
    let second: ((answer: DeviceCapabilities) => void) | undefined;
    useFakeClient({
      'operations.capabilities': ({ documents }: { readonly documents?: boolean }) => {
        if (documents !== false) return claims;
        return second === undefined
          ? { ...claims, flags: [], probes }
          : new Promise((resolve) => {
              second = resolve;
            });
      },
    });
    const workspace = useWorkspace();
    workspace.open('1');
    await vi.waitFor(() => {
      expect(workspace.reading).toBe(false);
    });
    const pending = () => {};
    second = pending;

    const again = workspace.refresh();
    await vi.waitFor(() => {
      expect(second).not.toBe(pending);
    });

    expect(workspace.capabilities).toEqual({ ...claims, probes });
    second({ ...claims, flags: [], probes: [] });
    await again;
    expect(workspace.capabilities).toEqual({ ...claims, probes: [] });
  });

  it('of a device that answers again is read again (else: "nothing listens" above values that were just read)', async () => {
    const away = new FieldwrightError({ code: 'connection-refused', message: '', source: 'device' });
    let isAway = true;
    const client = useFakeClient({
      'operations.capabilities': () => {
        if (isAway) throw away;
        return claims;
      },
    });
    const devices = useDevices();
    devices.start();
    const emit = (lastError?: typeof away.shape): void =>
      client
        .stream('devices.watch')
        .emit({ type: 'all', devices: [device('1', lastError === undefined ? {} : { lastError })] });
    emit();
    const workspace = useWorkspace();
    workspace.open('1');
    await vi.waitFor(() => expect(workspace.problem?.code).toBe('connection-refused'));
    emit(away.shape);
    await vi.waitFor(() => expect(workspace.device?.lastError).toBeDefined());

    isAway = false;
    emit();

    await vi.waitFor(() => expect(workspace.capabilities).toBeDefined());
    expect(workspace.problem).toBeUndefined();
  });
});
