/** Facts for a face about the app it belongs to. */
import type { ErrorShape } from '../errors.ts';

export interface AppInfo {
  readonly version: string;
  readonly face: 'desktop' | 'browser' | 'cli';
  readonly platform: string;
  /** `locked` asks for the passphrase, `new` lets the person choose one. */
  readonly vault: {
    readonly state: 'open' | 'locked' | 'new';
    readonly protection: string;
    /** The keychain can open it from the next start on, when its passphrase is given now. */ readonly canRemember?: true;
  };
  /** Notices for the person since the start: a damaged database that was set aside. */
  readonly notices?: readonly ErrorShape[];
  /** The face can start a simulated site. */
  readonly canSimulate: boolean;
}
