import {
  type Device,
  type DeviceResult,
  type PlanDevice,
  type PlanSection,
  type SectionResult,
  DEFAULT_PROFILE,
} from '#shared/model.ts';

export function device(id: string, more: Partial<Device> = {}): Device {
  return {
    id,
    name: `Camera ${id}`,
    url: `http://10.0.0.${id}`,
    kinds: ['thermal'],
    tags: [],
    profile: DEFAULT_PROFILE,
    reach: 'reachable',
    signIn: 'ok',
    addedAt: '2026-01-01T00:00:00Z',
    ...more,
  };
}

export function planSection(more: Partial<PlanSection> = {}): PlanSection {
  return {
    index: 0,
    set: 'thermal.thermometryBasic',
    label: 'Thermometry',
    params: {},
    optional: false,
    state: 'changes',
    changes: [{ path: 'distance', label: 'Distance', from: 1, to: 2 }],
    adjustments: [],
    problems: [],
    ...more,
  };
}

export function planDevice(deviceId: string, more: Partial<PlanDevice> = {}): PlanDevice {
  return {
    deviceId,
    name: deviceId,
    url: `http://${deviceId}`,
    state: 'changes',
    sections: [planSection()],
    group: 1,
    values: {},
    ...more,
  };
}

export function sectionResult(more: Partial<SectionResult> = {}): SectionResult {
  return {
    index: 0,
    set: 'thermal.thermometryBasic',
    label: 'Thermometry',
    params: {},
    outcome: 'effective',
    changes: [],
    ...more,
  };
}

export function deviceResult(deviceId: string, more: Partial<DeviceResult> = {}): DeviceResult {
  return {
    deviceId,
    name: deviceId,
    url: `http://${deviceId}`,
    state: 'done',
    units: [sectionResult()],
    ...more,
  };
}
