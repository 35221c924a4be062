/** Fixes that a blocked section offers: written into the template, each frees it. */
import { describe, expect, it } from 'vitest';
import { planSection } from '#engine/planning/pure/plan-section.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { resolveTemplate } from '#engine/template/values/resolve.ts';
import { changeSection } from '#template/change-section.ts';
import { BASIC, shows } from './documents.ts';

const SET = 'thermal.thermometryBasic';
const write = (value: string): string => `fieldwright: template/1
name: Blocked # stays
sections:
  - set: ${SET}
    params: { channelID: 1 }
    ${value}
`;

function plan(text: string, document = BASIC) {
  const parsed = parseTemplate(text);
  if (parsed.document === undefined) throw new Error(JSON.stringify(parsed.errors));
  const resolved = resolveTemplate(parsed.document, {
    values: {},
    secrets: {},
    needSecrets: false,
    device: 'd',
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.errors));
  const [section] = resolved.sections;
  if (section === undefined) throw new Error('no section');
  return planSection(section, shows(SET, document), {}, 'd').plan;
}

describe('the fixes of a blocked section', () => {
  // Would catch: a plan that says what is wrong and leaves it to the person to find out what to write.
  it.each([
    [
      'an emissivity while a mode fixes it: the mode that leaves it free',
      'value: { emissivity: 0.5 }',
      { kind: 'set', path: 'value.emissivityMode', value: 'customsettings', label: 'Emissivity mode' },
      'changes',
    ],
    [
      'a mode that fixes another emissivity than the device has: that emissivity',
      'value: { emissivityMode: rough }',
      { kind: 'set', path: 'value.emissivity', value: 0.8, label: 'Emissivity' },
      'changes',
    ],
  ])('%s', (_what, value, fix, state) => {
    const text = write(value);
    const [found, ...others] = plan(text).fixes ?? [];

    expect(found).toMatchObject(fix);
    expect(others).toEqual([]);
    const amended = changeSection(text, { index: 0, path: found?.path ?? '', value: found?.value });
    expect(amended).toContain('name: Blocked # stays');
    expect(plan(amended ?? '')).toMatchObject({ state, problems: [] });
    expect(plan(amended ?? '')).not.toHaveProperty('fixes');
  });

  it('offers nothing where only a person knows the value', () => {
    expect(plan(write('value: { distance: 7 }'))).not.toHaveProperty('fixes');
  });

  // Would catch: another place of the template that changes along with an anchor, without a word.
  it('is not written where it would change another place too', () => {
    const text = `${write('value: &shared { emissivity: 0.5 }')}  - set: ${SET}
    params: { channelID: 2 }
    value: *shared
`;

    expect(changeSection(text, { index: 0, path: 'value.emissivityMode', value: 'customsettings' })).toBe(
      undefined,
    );
    expect(changeSection(text, { index: 0, path: 'clamp', value: true })).toContain('clamp: true');
  });
});
