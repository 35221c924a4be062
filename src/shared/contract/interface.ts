/** The device interface as it is. */
import { oc, type } from '@orpc/contract';
import { z } from 'zod';
import type { CallAnswer, DeviceCapabilities } from '../model.ts';
import { fileText, id } from './inputs.ts';

/**
 * One operation on one device. Secrets and biometric data in an answer are masked before they get
 * here, and a body that holds the mask (`MASK` of exchange.ts) is refused: it would be written as it is.
 */
export const operationsRoutes = {
  call: oc
    .input(
      z.object({
        deviceId: id,
        operation: z.string().min(1).max(100),
        params: z.record(z.string().max(100), z.union([z.string().max(2000), z.number()])).optional(),
        /** A value in the shape of the definition. */
        body: z.unknown().optional(),
        /** Consent to send a user name or password readable over plain HTTP, for this call alone. */
        allowPlainFields: z.boolean().optional(),
        /** Adds the redacted request and answer, to the answer or to the error. */
        trace: z.boolean().optional(),
      }),
    )
    .output(type<CallAnswer>()),
  capabilities: oc
    .input(z.object({ deviceId: id, probe: z.boolean().optional(), documents: z.boolean().optional() }))
    .output(type<DeviceCapabilities>()),
  /** Text as it is to a path below the device's prefix; `raw` of the answer is its body, redacted. */
  request: oc
    .input(
      z.object({
        deviceId: id,
        method: z.enum(['GET', 'PUT', 'POST', 'DELETE']),
        path: z.string().min(1).max(4000),
        body: fileText.optional(),
        contentType: z.string().min(1).max(200).optional(),
        trace: z.boolean().optional(),
      }),
    )
    .output(type<CallAnswer>()),
};
