/** Errors inside a file from elsewhere: what we know of them, bounded; everything else is left out. */
import { z } from 'zod';
import { isDetailId, type DetailId } from '#shared/details.ts';
import { ERROR_CODES, ERROR_REASONS, type ErrorReason, type ErrorShape } from '#shared/errors.ts';

const line = z.string().max(2000);
const short = z.string().max(300);
const body = z.string().max(5000);
const headers = z
  .record(z.string().max(100), z.string().max(1000))
  .refine((all) => Object.keys(all).length <= 50);
const position = z.number().int().min(0);

const status = z.object({
  http: z.number(),
  statusCode: z.union([z.number(), line]).optional(),
  statusString: line.optional(),
  subStatusCode: line.optional(),
  errorCode: z.number().optional(),
  errorMsg: line.optional(),
});
const exchange = z.object({
  method: z.string().max(20),
  url: line,
  requestHeaders: headers,
  requestBody: body.optional(),
  http: z.number().int().optional(),
  responseHeaders: headers.optional(),
  responseBody: body,
  cut: z.boolean().optional(),
  ms: z.number(),
});
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
const certificateInfo = z.object({
  fingerprint,
  subject: short,
  issuer: short,
  names: z.array(short).max(50),
  validFrom: short,
  validTo: short,
  selfSigned: z.boolean(),
});
const certificate = z.object({
  offered: certificateInfo,
  reason: z.string().max(100),
  pinned: z
    .object({
      fingerprint,
      how: z.enum(['first-use', 'person', 'given']),
      since: short,
      info: certificateInfo.optional(),
    })
    .optional(),
});
const choice = z.union([short, z.number(), z.boolean()]);

/** A sentence that this version does not know is left out; the English one stands beside it. */
export const detailSchema = z
  .object({
    id: z.custom<DetailId>((id) => typeof id === 'string' && isDetailId(id)),
    values: z
      .record(z.string().max(40), z.union([line, z.number()]))
      .refine((all) => Object.keys(all).length <= 12)
      .optional(),
    reason: line.optional(),
  })
  .optional()
  .catch(undefined);

export const errorSchema: z.ZodType<ErrorShape> = z.object({
  code: z.enum(ERROR_CODES),
  source: z.enum(['user', 'device', 'app']),
  message: line,
  operation: line.optional(),
  path: z.string().max(1000).optional(),
  device: line.optional(),
  status: status.optional(),
  hint: line.optional(),
  sent: z.boolean().optional(),
  file: line.optional(),
  line: position.optional(),
  column: position.optional(),
  nearest: line.optional(),
  reason: z.enum(Object.values(ERROR_REASONS).flat() as [ErrorReason, ...ErrorReason[]]).optional(),
  allowed: z
    .object({
      options: z.array(choice).max(1000).optional(),
      min: z.number().optional(),
      max: z.number().optional(),
      minLength: position.optional(),
      maxLength: position.optional(),
    })
    .optional(),
  detail: detailSchema,
  exchange: exchange.optional(),
  lock: z
    .object({
      locked: z.boolean().optional(),
      attemptsLeft: position.optional(),
      unlocksAt: short.optional(),
    })
    .optional(),
  certificate: certificate.optional(),
  get others() {
    return z.array(errorSchema).max(1000).optional();
  },
});
