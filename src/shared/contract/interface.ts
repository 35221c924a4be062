/** The device interface as it is. */
import { type } from '@orpc/contract';
import { z } from 'zod';
import type { AlarmReport } from '../alarm-chain.ts';
import type { CallAnswer, DeviceCapabilities, ParamValues } from '../model.ts';
import { fileText, id, params, shortText } from './inputs.ts';
import { waiting } from './route.ts';

/**
 * One operation on one device. For a page, secrets and biometric data in an answer are masked, and a body that holds
 * the mask (`MASK` of exchange.ts) is refused: it would be written as it is.
 */
export const operationsRoutes = {
  /**
   * Sends what only reads at once. A call that may change the device is a job of kind `call`, whose id the answer holds; it is
   * refused with `not-available` while another kind of job works on the device. Throws for a wrong request and where
   * nothing was sent; a refusal, and a write of unknown outcome, are answers.
   */
  call: waiting('mask')
    .input(
      z.object({
        deviceId: id,
        operation: z.string().min(1).max(100),
        params: params.optional(),
        /** A value in the shape of the definition. */
        body: z.unknown().optional(),
        /** Consent to send a user name or password readable over plain HTTP, for this call alone. */
        allowPlainFields: z.boolean().optional(),
        /** A person agreed to what this call takes away for good; without it one that does is refused with `confirmation-needed`. */
        confirmed: z.boolean().optional(),
        /** Adds the redacted request and answer, to the answer or to the error. */
        trace: z.boolean().optional(),
      }),
    )
    .output(type<CallAnswer>()),
  /**
   * Reads and flattens capability documents. `probe` (default false) adds the answers to harmless GETs, which
   * go behind all other reads of the device. `documents` (default true): false only probes, for a caller that
   * has the documents; those of flags are among the probed ones.
   */
  capabilities: waiting('mask')
    .input(z.object({ deviceId: id, probe: z.boolean().optional(), documents: z.boolean().optional() }))
    .output(type<DeviceCapabilities>()),
  /**
   * Lists the values that a device has for one parameter of a read (its channels, presets, controllers), the other
   * parameters as given. What the device reports is taken; else the numbers are asked for one after the other. Throws
   * `unknown-parameter` if there is no such read or parameter.
   */
  paramValues: waiting('none')
    .input(z.object({ deviceId: id, operation: shortText, param: shortText, params: params.optional() }))
    .output(type<ParamValues>()),
  /**
   * Reads what decides the temperature alarms of a thermal camera and says, for each channel and preset, whether an alarm
   * can reach anybody and why not. `eventSeconds`: length of the event, default 10. Throws `not-supported` if the device
   * has no thermometry.
   */
  alarms: waiting('none')
    .input(z.object({ deviceId: id, eventSeconds: z.number().min(0).max(86_400).optional() }))
    .output(type<AlarmReport>()),
  /**
   * Sends text unchanged to a path below the device's prefix, for operations that the specification names
   * without showing their body; `raw` of the answer is its body.
   */
  request: waiting('mask')
    .input(
      z.object({
        deviceId: id,
        method: z.enum(['GET', 'PUT', 'POST', 'DELETE']),
        /** Path from the specification, starting with `/API/`; percent-encoded. */
        path: z.string().min(1).max(4000),
        body: fileText.optional(),
        /** Default: JSON for a path with `format=json`, else XML. */
        contentType: z.string().min(1).max(200).optional(),
        /** Confirmation, as for `call`. */
        confirmed: z.boolean().optional(),
        trace: z.boolean().optional(),
      }),
    )
    .output(type<CallAnswer>()),
};
