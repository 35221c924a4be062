import { describe } from 'vitest';
import { desktopSpecs } from './desktop-specs.ts';
import { createStandInLauncher } from './launch-stand-in.ts';

describe('desktop app with the stand-in for Electron', () => {
  desktopSpecs(createStandInLauncher);
});
