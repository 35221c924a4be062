interface Part {
  readonly name: string;
  readonly version: string;
}

export function writeSbom(path: string): Promise<void>;
export function keepShipped(
  list: unknown,
  bundled: ReadonlySet<string>,
  product: Part,
): { readonly components: readonly Part[]; readonly metadata: { readonly component: Part } };
