/** A template of two sections: one with a variable, one with a secret. */
export const BASIC = 'thermal.thermometryBasic';
export const LOCK = 'storage.rwLock';
export const TEXT = `fieldwright: template/1
name: Both
variables:
  meters: { type: integer, default: 3 }
  key: { type: secret }
sections:
  - set: ${BASIC}
    params: { channelID: 1 }
    value: { distance: "\${meters}" }
  - set: ${LOCK}
    value: { enabled: true, passwd: "\${key}" }
`;
