import { describe, expect, it } from 'vitest';
import {
  listDoctorActions,
  formatInterface,
  reportText,
} from '#renderer/features/site/discovery/doctor-text.ts';
import { createDetail } from '#shared/details.ts';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import {
  FINDING_ACTIONS,
  SKIP_REASONS,
  type DoctorReport,
  type Finding,
  type InterfaceReport,
} from '#shared/discovery.ts';

const i18n = createAppI18n();
await showLanguage(i18n.global, 'zh-CN');
await showLanguage(i18n.global, 'en');
const words =
  (language: 'en' | 'zh-CN') =>
  (key: string, named?: object): string =>
    i18n.global.t(key, { ...named }, { locale: language });
const finding = (code: Finding['code'], more: Partial<Finding> = {}): Finding => ({
  code,
  level: 'problem',
  interface: 'eth0',
  message: 'in English',
  next: 'in English',
  detail: createDetail('doctor.all-well'),
  subjects: [],
  ...more,
});
const eth0: InterfaceReport = {
  name: 'eth0',
  family: 'IPv4',
  address: '10.0.0.5',
  network: '10.0.0.0/24',
  state: 'listening',
  queriesSent: 3,
  queriesFailed: 0,
  packetsHeard: 0,
  ownPackets: 2,
  answers: 0,
  unreadable: 0,
  senders: 0,
  services: 0,
  full: false,
  errors: [],
};

describe.each(['en', 'zh-CN'] as const)('findings in %s', (language) => {
  const t = words(language);

  // Would catch: "not searched" without why, which hides that the interface was not among the chosen ones.
  it('an interface that was left out says why', () => {
    const lines = SKIP_REASONS.map((reason) => formatInterface({ ...eth0, state: 'skipped', reason }, t));

    expect(new Set(lines).size).toBe(SKIP_REASONS.length);
    expect(lines.join()).not.toContain('doctor.');
  });
});

describe('what can be done', () => {
  it('sweeps the network of the interface, or a part of one that is too large', () => {
    expect(listDoctorActions(finding('nothing-heard'), [eth0])).toEqual([
      { kind: 'sweep', cidr: '10.0.0.0/24' },
      { kind: 'add', address: undefined },
    ]);
    expect(listDoctorActions(finding('nothing-heard'), [{ ...eth0, network: '10.0.0.0/8' }])[0]).toEqual({
      kind: 'sweep',
      cidr: undefined,
    });
    expect(listDoctorActions(finding('tls-only', { subjects: ['https://10.0.0.9'] }), [])).toEqual([
      { kind: 'add', address: 'https://10.0.0.9' },
    ]);
  });

  it('leaves no problem without a step', () => {
    const codes = Object.keys(FINDING_ACTIONS) as readonly Finding['code'][];
    const without = codes.filter((code) => listDoctorActions(finding(code), [eth0]).length === 0);

    expect(without).toEqual(['ipv6-unavailable', 'not-http', 'policy-in-force']);
  });
});

describe('the text for a colleague', () => {
  it('holds interfaces, findings and subjects, one line each however they are called', () => {
    const report: DoctorReport = {
      startedAt: 'a',
      at: '2026-01-01',
      devices: 1,
      vanished: 0,
      others: 2,
      interfaces: [eth0],
      findings: [finding('address-conflict', { subjects: ['evil\nname \u202e http://a'] })],
      text: '',
    };

    const text = reportText(report, words('en'));

    expect(text).toContain('eth0 IPv4 10.0.0.5 (10.0.0.0/24): listening');
    expect(text).toContain('queries sent: 3');
    expect(text.split('\n').filter((line) => line.includes('evil'))).toEqual(['    - evil name � http://a']);
  });
});
