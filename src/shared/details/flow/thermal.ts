/** Thermal verification against a blackbody: what it asks, warns of and puts on record. */
export const FLOW_THERMAL = {
  'flow-thermal-title': 'Thermal verification',
  'flow-thermal-about':
    'Compares what a thermal camera or an access terminal shows with a blackbody, suggests a compensation, and ends with a record of a field verification.',
  'flow-thermal-none': 'The device does not say that it measures temperatures.',
  'flow-thermal-sure': 'It is right all the same',
  'flow-thermal-meant': '{value} {unit} looks like a number in {meant}.',
  'flow-thermal-changed-by': 'Changed by {name}',
  // the device and its mode
  'flow-thermal-capability': 'Device and mode',
  'flow-thermal-is-camera': 'A thermal camera. What the interface does not tell stands on its label.',
  'flow-thermal-is-terminal':
    'The host of an access terminal with a thermometer. What the interface does not tell stands on its label.',
  'flow-thermal-channel': 'Thermal channel',
  'flow-thermal-model': 'Model',
  'flow-thermal-serial': 'Serial number',
  'flow-thermal-firmware': 'Firmware',
  'flow-thermal-lens': 'Lens',
  'flow-thermal-mode': 'The mode in which the camera is used is the one to verify.',
  'flow-thermal-mode-label': 'Thermometry mode',
  'flow-thermal-mode-sends': 'This changes the mode of the camera.',
  // the profile
  'flow-thermal-profile': 'Profile',
  'flow-thermal-profile-text':
    'Profiles of different sources contradict each other: the record names the one that was chosen.',
  'flow-thermal-limits-text':
    'Every limit can be changed; the record says which were. An empty one is not asked for.',
  'flow-thermal-screening': 'Screening of people',
  'flow-thermal-screening-cool': 'Screening of people, cool and dry room',
  'flow-thermal-screening-warm': 'Screening of people, warm room',
  'flow-thermal-industrial': 'Industrial thermography',
  'flow-thermal-own': 'Own limits',
  'flow-thermal-source-accuracy':
    'Accuracy: error and uncertainty together at most 0.5 °C over at least 34 to 39 °C (IEC 80601-2-59:2017 as told by screeningthermography.com; second-hand).',
  'flow-thermal-source-checklist':
    'Room, blackbody and warm-up: a published checklist (PMC8654479, table 1), not the standard.',
  'flow-thermal-source-cool':
    'Room: guidance of the FDA as told by equvera.com (second-hand); a person waits there for 15 min, 30 after exertion.',
  'flow-thermal-source-warm': 'Room: a maker’s manual that cites ISO/TR 13154.',
  'flow-thermal-source-industrial':
    'Set points within the range in use. Target over 5 × 5 pixels, view under 45°: a maker’s manual of a bi-spectrum camera.',
  'flow-thermal-source-own': 'Limits of whoever signs, the owner or a contract.',
  'flow-thermal-source-rule': 'Error and uncertainty together at most 0.5 °C where nothing else is agreed.',
  'flow-thermal-limit': 'Most for |error| + U',
  'flow-thermal-from': 'Set points from',
  'flow-thermal-to': 'Set points to',
  'flow-thermal-points': 'Set points',
  'flow-thermal-count': 'Readings at each set point',
  'flow-thermal-room-from': 'Room temperature from',
  'flow-thermal-room-to': 'Room temperature to',
  'flow-thermal-humidity-from': 'Humidity from',
  'flow-thermal-humidity-to': 'Humidity to',
  'flow-thermal-warm-up': 'Warm-up',
  'flow-thermal-most-u': 'Uncertainty of the blackbody below',
  'flow-thermal-emissivity': 'Emissivity',
  // the room
  'flow-thermal-environment': 'Room and warm-up',
  'flow-thermal-room-text':
    'Measure the room where camera and blackbody stand, and how they stand to each other.',
  'flow-thermal-room-unit': 'Unit of the room temperature',
  'flow-thermal-room': 'Room temperature',
  'flow-thermal-humidity': 'Relative humidity',
  'flow-thermal-distance': 'Distance from lens to blackbody',
  'flow-thermal-angle': 'Angle to the perpendicular',
  'flow-thermal-pixels': 'Pixels across the blackbody',
  'flow-thermal-room-outside': 'The room has {value} °C: that is outside the profile.',
  'flow-thermal-humidity-outside': 'The humidity is {value} %: that is outside the profile.',
  'flow-thermal-few-pixels': 'The blackbody covers less than {least} pixels: its edge is measured as well.',
  'flow-thermal-wide-angle': 'The camera looks at {most}° or more to the perpendicular.',
  'flow-thermal-place-text': 'What you do not tick stays open in the record.',
  'flow-thermal-is-still': 'Camera and blackbody stand fast',
  'flow-thermal-is-draught': 'No sun, heater, air outlet or hot thing in view or beside it',
  'flow-thermal-is-perpendicular': 'The blackbody faces the lens and is in focus',
  'flow-thermal-is-radiation': 'Readings are radiation temperatures: no correction for a part of the body',
  'flow-thermal-warmed-up': 'Camera and blackbody have been on for',
  'flow-thermal-warming':
    'Camera and blackbody warm up for another {minutes} min. The time goes on while the computer sleeps or the app is closed.',
  'flow-thermal-begun': 'Warm-up begun',
  'flow-thermal-warm-length': 'Length of the warm-up',
  'flow-thermal-warm-enough': 'Warm-up of {minutes} min',
  'flow-thermal-clock-back':
    'The clock of the computer went back by {minutes} min meanwhile; that time was not counted.',
  'flow-thermal-unwatched':
    'For {minutes} min nobody watched: the computer slept, the app was closed, or the clock was set forward. That time was counted.',
  'flow-thermal-room-end-text': 'Measure the room once more, now that the last reading is taken.',
  'flow-thermal-room-end': 'Room at the end',
  // the blackbody
  'flow-thermal-blackbody': 'Blackbody',
  'flow-thermal-blackbody-text': 'What its certificate says.',
  'flow-thermal-maker': 'Maker',
  'flow-thermal-certificate': 'Certificate number',
  'flow-thermal-due': 'Calibration due',
  'flow-thermal-reference-u': 'Expanded uncertainty U (k = 2)',
  'flow-thermal-stability': 'Stability and drift, as certified',
  'flow-thermal-expired': 'The certificate of the blackbody expired on {due}.',
  'flow-thermal-great-u': 'The uncertainty of the blackbody is not below the {most} °C of the profile.',
  // settings of the measurement
  'flow-thermal-settings': 'Settings of the measurement',
  'flow-thermal-units-text':
    'The units in which the device counts. After a change look at the other numbers: the device may keep or convert them.',
  'flow-thermal-settings-text': 'What the measurement rests on, as the device holds it now.',
  'flow-thermal-settings-sends': 'This changes how the device measures.',
  'flow-thermal-settings-table': 'Settings before and after',
  'flow-thermal-setting': 'Setting',
  'flow-thermal-before': 'Before',
  'flow-thermal-after': 'After',
  'flow-thermal-proof': 'Proof',
  'flow-thermal-other-room': 'The camera counts with a room of {value} {unit}; {room} °C were measured.',
  'flow-thermal-other-distance':
    'The camera counts with a distance of {value} {unit}; {measured} m were measured.',
  'flow-thermal-other-emissivity':
    'The camera counts with an emissivity of {value}; the blackbody has {blackbody}.',
  'flow-thermal-unwanted-emissivity':
    'The camera counts with an emissivity of {value}; the profile wants {wanted}.',
  // readings
  'flow-thermal-readings-title': 'Readings',
  'flow-thermal-display-text':
    'How readings are taken. Everything is computed in °C; readings stay as they were typed.',
  'flow-thermal-unit': 'Unit that the device shows',
  'flow-thermal-set-point-unit': 'Unit that the blackbody shows',
  'flow-thermal-other-unit': 'The device itself says that it shows another unit.',
  'flow-thermal-resolution': 'Least step of the display, in its unit',
  'flow-thermal-interval': 'Time between two readings',
  'flow-thermal-readings-text':
    'Set point {nth} of {points}: at least {left} {left:reading|readings} more, in equal intervals, once blackbody and camera are steady.',
  'flow-thermal-range-text': 'Set points count from {from} to {to} °C.',
  'flow-thermal-set-point': 'Set point of the blackbody',
  'flow-thermal-readings': 'Readings',
  'flow-thermal-review': 'Use these readings?',
  'flow-thermal-too-few': '{count} {count:reading|readings} of at least {least}.',
  'flow-thermal-next': 'These readings',
  'flow-thermal-next-use': 'Use them',
  'flow-thermal-next-more': 'Add more',
  'flow-thermal-next-moved': 'Camera or blackbody moved: begin this series again',
  'flow-thermal-next-mistyped': 'Mistyped: begin this series again',
  'flow-thermal-out-of-range': 'The set point of {value} °C lies outside the profile and does not count.',
  'flow-thermal-same-point': 'There is a series at this set point already.',
  'flow-thermal-outliers': 'Readings far from the rest, by number: {places}. They are in the computing.',
  'flow-thermal-unsteady':
    'The readings drift by {total} °C along the series: wait until camera and blackbody are steady.',
  'flow-thermal-number': 'Number of readings',
  'flow-thermal-mean': 'Mean',
  'flow-thermal-deviation': 'Standard deviation (n − 1)',
  'flow-thermal-drift': 'Drift',
  'flow-thermal-drift-u': 'Standard uncertainty of the drift',
  'flow-thermal-drift-total': 'Drift along the series',
  'flow-thermal-error': 'Error',
  'flow-thermal-u': 'Expanded uncertainty U (k = 2)',
  'flow-thermal-within': '|error| + U at most {limit} °C',
  'flow-thermal-at': '{value} {unit}',
  'flow-thermal-plot': 'Deviation from the set point',
  'flow-thermal-time': 'Time',
  'flow-thermal-off': 'Deviation',
  'flow-thermal-upper': 'Upper limit',
  'flow-thermal-zero': 'Set point',
  'flow-thermal-lower': 'Lower limit',
  'flow-thermal-plot-twin':
    '{count} {count:reading|readings} at {points} set {points:point|points}, each less its set point; the rule allows ±{limit} °C together with the uncertainty.',
  'flow-thermal-was-moved': 'Begun again after {readings} readings: camera or blackbody moved.',
  'flow-thermal-was-mistyped': 'Begun again after {readings} readings: mistyped.',
  'flow-thermal-nth': 'No.',
  'flow-thermal-reading': 'Reading',
  'flow-thermal-by': 'Entered by',
  'flow-thermal-when': 'Entered at',
  // compensation
  'flow-thermal-compensation': 'Compensation',
  'flow-thermal-suggested': 'Suggested compensation',
  'flow-thermal-suggested-u': 'Expanded uncertainty of it (k = 2)',
  'flow-thermal-spread': 'Difference of the errors of the set points',
  'flow-thermal-proposed': 'Value proposed for the device',
  'flow-thermal-no-way': 'The device shows no field that takes a compensation; nothing is written.',
  'flow-thermal-way-text':
    'The device can take the compensation. A series of readings afterwards shows what it did.',
  'flow-thermal-uncertain':
    'The suggested compensation is not greater than its uncertainty: better leave the device as it is.',
  'flow-thermal-not-specified':
    'The interface does not say in which unit a camera takes a correction, nor how it uses a coefficient. It is taken to be added in the unit of the display, or to be a factor where it stands at 1; only the readings afterwards tell.',
  'flow-thermal-way': 'Write as',
  'flow-thermal-way-none': 'Nothing',
  'flow-thermal-as-factor': 'Calibration coefficient, as a factor',
  'flow-thermal-not-written': 'Nothing was written.',
  'flow-thermal-value-text': 'The device holds {held} now; {proposed} is proposed.',
  'flow-thermal-compensation-sends': 'This changes every temperature that the device gives from now on.',
  'flow-thermal-written': 'Written to the device',
  'flow-thermal-left': 'Left over by the resolution of the field',
  // verdict
  'flow-thermal-verification': 'Readings after the change',
  'flow-thermal-warm-again':
    'The device was restarted for the compensation: let it warm up again, then take the readings.',
  'flow-thermal-restart':
    'The device takes the compensation only after a restart: restart it, let it warm up, then take the readings.',
  'flow-thermal-nothing-changed': 'No compensation was written: the readings above count.',
  'flow-thermal-verdict': 'Verdict',
  'flow-thermal-passed':
    'Within the rule of the profile: |error| + U is at most {limit} °C at every set point.',
  'flow-thermal-failed':
    'Outside the rule of the profile: |error| + U is more than {limit} °C at one set point at least.',
  'flow-thermal-incomplete':
    'No verdict: the profile wants more set points in its range, after the last change. The rule is |error| + U at most {limit} °C.',
  'flow-thermal-rule-of': '{error} + {uncertainty} = {sum} °C; at most {limit} °C',
  'flow-thermal-changed-meanwhile':
    'Settings of the measurement are no longer as this record has them; somebody else changed them meanwhile.',
  'flow-thermal-no-certificate':
    'This is the record of a field verification. It is no calibration certificate and claims no compliance with a standard.',
  'flow-thermal-radiation-only':
    'A blackbody proves the radiation temperature; a correction for a part of the body cannot be verified so.',
  'flow-thermal-clinical': 'An elevated reading needs a clinical thermometer.',
  // schedule
  'flow-thermal-schedule': 'Schedule and linkages',
  'flow-thermal-no-schedule': 'An access terminal has no arming schedule for temperatures.',
  'flow-thermal-preset-text':
    'The linkages of a thermometry preset can go on record: name its number, or leave it empty.',
  'flow-thermal-preset': 'Preset',
  'flow-thermal-not-there': 'The device does not have it.',
  'flow-thermal-day': 'Day',
  'flow-thermal-begin': 'From',
  'flow-thermal-end': 'To',
} as const;
