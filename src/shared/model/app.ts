/** Facts for a face about the app it belongs to. */
import type { Detail } from '../details.ts';
import type { Language } from '../details/languages.ts';
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
  /** Parts of the face that the policy of an organisation sets. */
  readonly policy?: {
    readonly language?: Language;
    /** Picture as a `data:` address. */
    readonly logo?: string;
    /** Address of the file that announces new versions. */
    readonly updates?: string;
  };
  /** The face can start a simulated site. */
  readonly canSimulate: boolean;
}

/** Version that an organisation offers to its people. Nothing of it is downloaded. */
export interface Release {
  readonly version: string;
  /** Day of the release, `2030-01-31`. */
  readonly date: string;
  readonly notes: string;
  /** Address to get it from. */
  readonly address: string;
  /** Checksum of the file at `address`. */
  readonly sha256: string;
}

export interface UpdateCheck {
  /**
   * `off`: the policy names no address, so nothing was looked at. `unreachable` is no fault, as the computer may be offline;
   * `unreadable` is one of the file.
   */
  readonly state: 'off' | 'unreachable' | 'unreadable' | 'newest' | 'newer';
  readonly says: Detail;
  /** Version that is announced, where one could be read. */
  readonly release?: Release;
}
