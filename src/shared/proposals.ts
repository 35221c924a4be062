/** Rules that propose a template for devices that are new, replaced or reset. Nothing is written without a yes. */
import type { DeviceKind } from './model.ts';

/** Devices that a rule is for: every given condition has to hold. */
export interface ProposalScope {
  readonly kind?: DeviceKind;
  readonly siteId?: string;
  readonly tag?: string;
}

export interface ProposalRule extends ProposalScope {
  readonly id: string;
  readonly templateId: string;
  /** Name of the template; absent if it was removed. */
  readonly template?: string;
  /** Values of variables of the template, as text. */
  readonly values: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly at: string;
  /** Operating system user. */
  readonly by: string;
  /** Devices that it fits today. */
  readonly fits: number;
}

/** `new`: added after the rule was made. `reset`: no section shows what was agreed for it. */
type ProposalReason = 'new' | 'replaced' | 'reset';

export interface Proposal {
  readonly ruleId: string;
  readonly deviceId: string;
  readonly reason: ProposalReason;
  /** ISO 8601: when that came about. */
  readonly since: string;
}
