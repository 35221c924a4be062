/** Documents and resolved sections for tests of the pure planner. */
import { decode, findResource, readConstraints, type Constraints, type Payload } from '#protocol/index.ts';
import type { SectionRead } from '#engine/planning/pure/plan-section.ts';
import type { ResolvedSection } from '#engine/template/document.ts';

function resource(name: string) {
  const found = findResource(name);
  if (found === undefined) throw new Error(`no resource ${name}`);
  return found;
}

export function payloadOf(name: string): Payload {
  const payload = resource(name).put.request;
  if (payload === undefined) throw new Error(`no payload for ${name}`);
  return payload;
}

export function section(set: string, value: unknown, extra: Partial<ResolvedSection> = {}): ResolvedSection {
  return {
    index: 0,
    set,
    resource: resource(set),
    params: {},
    value,
    optional: false,
    clamp: false,
    open: new Set(),
    ...extra,
  };
}

export function shows(set: string, text: string): Extract<SectionRead, { kind: 'state' }> {
  const { document, value } = decode(payloadOf(set), text);
  return { kind: 'state', state: { document, value }, sha256: '0'.repeat(64) };
}

export function limits(set: string, text: string): Constraints {
  return readConstraints(payloadOf(set), text);
}

/** Document with an element that no list names, an odd number and Windows line ends, as devices send them. */
export const BASIC = [
  '<?xml version="1.0" encoding="UTF-8" ?>',
  '<ThermometryBasicParam version="2.0" xmlns="urn:odd">',
  '  <id>1</id>',
  '  <enabled>true</enabled>',
  '  <emissivity>0.950</emissivity>',
  '  <distance>007</distance>',
  '  <alarm>37.50</alarm>',
  '  <vendorExtra a="1"><x/></vendorExtra>',
  '  <emissivityMode>rougher</emissivityMode>',
  '  <alarmInterval>999</alarmInterval>',
  '</ThermometryBasicParam>',
  '',
].join('\r\n');
