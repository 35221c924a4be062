/** Files of a person: tables of values and of devices, saved reports. */
export const FILES = {
  'csv-empty': 'The file is empty; its first line names the columns.',
  'csv-no-device': 'The file names columns but no device.',
  'csv-rows': 'The file has more than {max} rows.',
  'csv-columns': 'The file has more than {max} columns.',
  'csv-broken':
    'The file is not a valid CSV file: a quote is missing or stands in the wrong place, or a row is too long.',
  'csv-device-column': 'The column "{name}" is missing; it holds the URL, name or id of each device.',
  'csv-column-twice': 'The column "{name}" is there twice.',
  'csv-secret':
    '"{name}" is a secret: it comes from the vault, a prompt or an environment variable, never from a file.',
  'csv-no-column': 'The variable "{name}" has no default and no column.',
  'csv-cells':
    'This row has {count} {count:cell|cells}, the first line names {columns} {columns:column|columns}.',
  'csv-row-without-device': 'This row names no device.',
  'csv-no-value': 'The variable "{name}" has no value for {device} and no default.',
  'csv-device-twice': '{device} is already given in line {line}.',
  'file-too-large': 'The file is too large.',
  'report-too-large': 'This file is larger than any capability report.',
  'no-report':
    'This is no saved capability report.\nSave one with: fieldwright caps --device … --json > FILE',
  'file-not-json': 'This file is not JSON.',
  'file-bytes': 'The file has {count} bytes; at most {max} are read.',
  'not-unicode':
    'The file is not text in UTF-8 or UTF-16.\nSave it as UTF-8 (in a spreadsheet: "CSV UTF-8").',
  'line-not-utf8-at-all': 'This line holds characters that are not UTF-8: the file is in another encoding.',
  'line-not-utf8': 'This line holds characters that are not UTF-8.',
} as const;
