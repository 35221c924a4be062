/**
 * Capture: a device read into a template. For the rest of the engine:
 *
 *   for await (const event of captureDevice({ clients, clock, find: devices.find, test: devices.test }, { deviceId }, signal)) …
 *
 * `section` events say what became of each setting, the last event is `template`: its `text` is a valid
 * template, and planned with its `values` on the same device it is `unchanged`. Nothing is written, nothing
 * saved. Throws what a device that cannot be reached or does not let us in throws, `not-supported` where it
 * has nothing a template can set, `unknown-section` and `unknown-parameter` for a wrong request, `cancelled`.
 */
export { captureDevice } from './capture-device.ts';
