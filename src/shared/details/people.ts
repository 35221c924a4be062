/** People on terminals: reading, importing, copying and removing them. */
export const PEOPLE = {
  // reading
  'people-page-repeated':
    'The device repeated people instead of going on at position {position}; what follows was not read.',
  'people-asked-again': 'The device repeated a page at position {position}; asked again, it went on.',
  'people-twice': 'The device listed {count} people twice.',
  'people-nameless': 'The device listed {count} people without an employee number.',
  'people-other-number': 'The device says it has {total} people and gave {read}.',
  'people-no-progress':
    'The device said there is more at position {position} and gave nothing; what follows was not read.',
  'people-without-end': 'The device gave people without end; reading stopped after {read}.',
  'people-page-count': 'The device announced {said} people in an answer and sent {came}.',
  'people-total-changed': 'People came or went while they were read: {from} at first, {to} in the end.',
  'people-incomplete': 'This list of people is not whole.\nRead it again when nobody changes it.',
  'people-no-person': 'The device has nobody with the employee number {employeeNo}.',
  'people-exported': '{count} people written to {file}; passwords and dynamic codes are left out.',
} as const;
