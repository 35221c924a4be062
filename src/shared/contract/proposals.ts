/** Templates that are proposed for devices by rules. */
import { type } from '@orpc/contract';
import { z } from 'zod';
import type { PutRight } from '../agreement.ts';
import { DEVICE_KINDS } from '../model.ts';
import type { Proposal, ProposalRule } from '../proposals.ts';
import { id, shortText, someIds } from './inputs.ts';
import { route } from './route.ts';

export const proposalsRoutes = {
  /** Lists what is proposed today; sends nothing. */
  list: route('none').output(type<readonly Proposal[]>()),
  rules: route('none').output(type<readonly ProposalRule[]>()),
  /** Adds a rule. Throws `usage` for one without a condition, which every device would fit, and `not-found`. */
  addRule: route('none')
    .input(
      z.object({
        templateId: id,
        kind: z.enum(DEVICE_KINDS).optional(),
        siteId: id.optional(),
        tag: shortText.min(1).optional(),
        values: z.record(z.string().max(100), z.string().max(5000)).readonly().optional(),
      }),
    )
    .output(type<ProposalRule>()),
  removeRule: route('none').input(z.object({ id })).output(type<{ removed: boolean }>()),
  /** Returns what a plan of the template of a rule on devices is made from. Throws `not-found`. */
  template: route('none')
    .input(z.object({ ruleId: id, deviceIds: someIds }))
    .output(type<PutRight>()),
  /** Drops proposals, until the device is replaced or reset again. */
  dismiss: route('none')
    .input(z.object({ ruleId: id, deviceIds: someIds }))
    .output(type<{ dismissed: number }>()),
};
