/** The virtual site: a stateful stand-in for devices, over real HTTP. Its promises stand in SIMULATOR.md. */
export { startSite, type Site, type SiteDevice } from './site.ts';
export { DEFAULT_NAMESPACE, type SiteOptions } from './options.ts';
export { VirtualDevice } from './device.ts';
export { SiteClock } from './clock.ts';
export { MODELS, type Model } from './kinds/kind.ts';
export { FAULT_KINDS, parseFault, type FaultKind, type FaultScope } from './faults.ts';
export { AUTH_MODES, type AuthMode } from './auth/sign-in.ts';
export type { LoggedRequest } from './request-log.ts';
export type { DeviceSnapshot } from './state/device-state.ts';
