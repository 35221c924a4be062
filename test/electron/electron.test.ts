import { describe } from 'vitest';
import { desktopSpecs } from './desktop-specs.ts';
import { createElectronLauncher, whyNoElectron } from './launch-electron.ts';

const reason = whyNoElectron();

describe.skipIf(reason !== undefined)(
  `desktop app in real Electron${reason === undefined ? '' : ` — skipped: ${reason}`}`,
  () => {
    desktopSpecs(createElectronLauncher);
  },
);
