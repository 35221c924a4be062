/** Plans, and what a saved state becomes on another device. */
export const PLANS = {
  'device-takes': 'The device takes {min} to {max}.',
  'device-takes-from': 'The device takes {min} or more.',
  'device-takes-up-to': 'The device takes {max} or less.',
  'device-offers': 'The device offers {options}.',
  'device-takes-entries': 'The device takes at most {max} of them.',
  'not-on-device': 'The device does not have this setting.',
  'unit-moved': 'From {from} to {to}, which this device counts in.',
  'unit-not-offered': 'The device does not offer {from}.',
  'not-without': 'It cannot be set without "{field}".',
  'not-allowed-there': 'The device does not allow this value.',
  'secret-not-kept': 'Secrets are never kept: set it anew on the device.',
  'section-needs-secret': 'It cannot be set without a secret, and secrets are never kept.',
  'not-read-then': 'It could not be read when the state was saved.',
  'part-of': 'Its settings are part of "{set}".',
  'shown-not-allowed': 'The specification does not allow what the device showed.',
  'shown-inactive': 'It had no effect beside the other settings of the device.',
  'not-in-charset':
    'The device keeps this document in a character set of its own, which lacks a character that was to be written; nothing was sent.',
  // Of plans and jobs before kinds had words.
  'other-kinds': 'The template is for {kinds}; this device is none of them.',
  'for-other-kinds':
    'The template is for {gate:Gate|}{and_thermal:, |}{thermal:Thermal|}{and_ai:, |}{ai:AI|}{and_counter:, |}{counter:Counter|}{and_recorder:, |}{recorder:Recorder|}; this device is none of them.',
  'drifted-since-plan':
    '{label} on the device is no longer as it was when the plan was made; nothing was sent.\nLook at what the device shows now, then confirm the changes anew.',
  'not-read-at-plan':
    'This device could not be read when the plan was made, so nobody has confirmed what would change on it; nothing was sent.\nConfirm it, or make a new plan for this device.',
  'planning-cancelled': 'Planning was cancelled.',
  'plan-device-unlisted':
    'This device of the plan is not in the list of devices; nothing will be sent to it.\nAdd it with this address, then open the plan again.',
  'plan-not-json': 'The plan is not valid JSON.',
  'charset-broken':
    "The document holds bytes that are not valid in its character set; writing it back would change them on the device, so it is left as it is.\nOften it is a name that was typed in the device's own pages: write it anew there, in plain letters, then try again.",
  'device-given-twice': '{device} is already given in line {line}.',
  'plan-gone': 'This plan is no longer kept.\nMake the plan again, look at it, then apply it.',
  'plan-devices-unlisted':
    "None of the plan's devices is in the list of devices: {names}.\nAdd the devices with these addresses, then open the plan again.",
  'no-plan': 'This is no plan: it does not begin with "fieldwright": "plan/1".',
  'plan-damaged': 'The plan is damaged or was changed: something is missing or does not belong here.',
  'no-saved-state': 'There is no saved state "{id}".',
  'saved-states': 'Several saved states begin with "{id}"; give more of the id.',
} as const;
