/** The pages of a device workspace: what the catalogue offers, grouped as a person looks for it. */
import { findResource, operations } from '#protocol/catalogue.ts';
import type { Area, Operation, Payload } from '#protocol/definition.ts';
import type { Params } from '#shared/model.ts';

/**
 * `settings` are read and written, `status` is read, `report` and `limits` show what the device can,
 * an `action` or a `query` sends something once, `unspecified` has no known body.
 */
const PAGE_KINDS = ['settings', 'status', 'query', 'action', 'report', 'limits', 'unspecified'] as const;
type PageKind = (typeof PAGE_KINDS)[number];

export interface DevicePage {
  readonly area: Area;
  /** Part of the address: unique inside the area. */
  readonly slug: string;
  readonly kind: PageKind;
  /** Operation that the page reads or sends; for settings the read. */
  readonly operation: Operation;
  /** The write of settings. */
  readonly put?: Operation;
  /** Payload that the page shows or edits. */
  readonly payload?: Payload;
  /** Capability operation that reports its limits. */
  readonly capability?: string;
}

const referenced = new Set(
  operations.map((operation) => operation.capability).filter((id) => id !== undefined),
);

function pageOf(operation: Operation): DevicePage | undefined {
  const { area, id, capability } = operation;
  const rest = id.slice(area.length + 1);
  const base = { area, operation, ...(capability !== undefined && { capability }) };
  if (!operation.specified) return { ...base, slug: rest, kind: 'unspecified' };
  if (operation.method === 'GET') {
    const resource = findResource(id.replace(/\.get$/, ''));
    if (resource !== undefined) {
      const limits = resource.capability?.id;
      return {
        ...base,
        slug: rest.replace(/\.get$/, ''),
        kind: 'settings',
        put: resource.put,
        payload: resource.put.request,
        ...(limits !== undefined && { capability: limits }),
      };
    }
    const payload = operation.response === undefined ? {} : { payload: operation.response };
    if (operation.isCapability === true)
      return referenced.has(id)
        ? undefined
        : { ...base, slug: rest, kind: 'limits', ...payload, capability: id };
    return {
      ...base,
      slug: rest.replace(/\.get$/, ''),
      kind: id.endsWith('.capabilities.get') ? 'report' : 'status',
      ...payload,
    };
  }
  if (id.endsWith('.put') && findResource(id.slice(0, -'.put'.length)) !== undefined) return undefined;
  const isQuery = operation.method === 'POST' && operation.idempotent && operation.response !== undefined;
  return {
    ...base,
    slug: rest,
    kind: isQuery ? 'query' : 'action',
    ...(operation.request && { payload: operation.request }),
  };
}

export const pages: readonly DevicePage[] = operations.flatMap((operation) => pageOf(operation) ?? []);

export function listPages(area: Area): readonly DevicePage[] {
  return pages
    .filter((page) => page.area === area)
    .sort((a, b) => PAGE_KINDS.indexOf(a.kind) - PAGE_KINDS.indexOf(b.kind));
}

export function findPage(area: unknown, slug: unknown): DevicePage | undefined {
  return pages.find((page) => page.area === area && page.slug === slug);
}

/** Address of a page, with the parameters it is for and the field it should lead to. */
export function pageLink(
  deviceId: string,
  page: Pick<DevicePage, 'area' | 'slug'>,
  query: Readonly<Record<string, string>> = {},
) {
  return { path: `/devices/${encodeURIComponent(deviceId)}/${page.area}/${page.slug}`, query };
}

/** Address of a page under *Interface details*, where ids and paths are shown too. */
export function linkToInterface(deviceId: string, { area, slug }: Pick<DevicePage, 'area' | 'slug'>): string {
  return `/devices/${encodeURIComponent(deviceId)}/interface/${area}/${slug}`;
}

export function findPageOf(operation: string): DevicePage | undefined {
  return pages.find((page) => page.operation.id === operation);
}

/** Address of the page of an operation; the overview of the device if there is no such page. */
export function linkToPage(
  deviceId: string,
  operation: string,
  query: Readonly<Record<string, string>> = {},
) {
  const page = findPageOf(operation);
  return page === undefined ? `/devices/${encodeURIComponent(deviceId)}` : pageLink(deviceId, page, query);
}

/** Address of the setting in the form that holds it. */
export function linkToSetting(
  deviceId: string,
  { set, params, path }: { readonly set: string; readonly params: Params; readonly path: string },
) {
  const at = Object.entries(params).map(([name, value]) => [name, String(value)]);
  return linkToPage(deviceId, `${set}.get`, { ...Object.fromEntries(at), field: path });
}
