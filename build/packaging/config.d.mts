/** What tests read of electron-builder's configuration; its own types bring those of a browser with them. */
interface PackageConfig {
  readonly publish: null;
  readonly directories: Readonly<Record<string, string>>;
  readonly fileAssociations: readonly { readonly ext: string; readonly name: string }[];
  readonly forceCodeSigning?: boolean;
  readonly mac: { readonly identity?: string; readonly hardenedRuntime: boolean };
}

export type PackedSystem = 'linux' | 'mac' | 'win';
export function hasKey(system: PackedSystem, env: Readonly<Record<string, string | undefined>>): boolean;
export function readConfig(
  system: PackedSystem,
  env?: Readonly<Record<string, string | undefined>>,
  prepared?: string,
): PackageConfig;
