import type { Command } from 'commander';
import { FieldwrightError } from '../../shared/errors.ts';
import { withGlobals } from '../options.ts';
import type { Runner } from './runner.ts';

/** A command of the contract that this version does not have yet: it says so, and nothing else. */
export function later(parent: Command, name: string, run: Runner): void {
  withGlobals(parent.command(name, { hidden: true }))
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((_words, options) =>
      run(options, () => {
        const full = parent.parent ? `${parent.name()} ${name}` : name;
        throw new FieldwrightError({
          code: 'not-available',
          source: 'user',
          message: `"${full}" is not in this version of Fieldwright yet.`,
          hint: 'fieldwright --help lists what is.',
        });
      }),
    );
}
