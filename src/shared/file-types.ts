/** Endings of the files that open Fieldwright with a double click; the installers announce the same ones. */
export interface FileType {
  readonly kind: 'template' | 'plan';
  /** Ending without its dot, lower case. */
  readonly ending: string;
}

/**
 * A template is YAML or JSON and a plan is JSON, as under their other endings (`.yaml`, `.json`), which belong to other
 * programs on most computers.
 */
export const FILE_TYPES: readonly FileType[] = [
  { kind: 'template', ending: 'fwtemplate' },
  { kind: 'plan', ending: 'fwplan' },
];
