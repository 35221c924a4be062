import type { IconName } from '#renderer/components/ui/icons.ts';
import type { KeyBelow } from '../common/labels/translate.ts';

type Tab = KeyBelow<'nav.tab'>;
/** A place of the app: an entry of the rail, and the screens that are tabs of it. */
export interface Place {
  /** First part of the addresses of its screens, and the name of its word: `nav.<id>`. */
  readonly id: KeyBelow<'nav'>;
  readonly icon: IconName;
  /** Screens of the place that lie side by side; each has its word in `nav.tab.<id>`. */
  readonly tabs?: readonly Tab[];
}

/** Places of the rail, in the order of a day's work. */
export const PLACES: readonly Place[] = [
  { id: 'devices', icon: 'site' },
  { id: 'changes', icon: 'apply', tabs: ['templates', 'apply', 'differences', 'changed'] },
  { id: 'commission', icon: 'setup' },
  { id: 'people', icon: 'people' },
  { id: 'models', icon: 'models' },
  { id: 'documents', icon: 'report' },
];
export const SETTINGS: Place = { id: 'settings', icon: 'settings' };
/** Its entry in the rail also shows how far running work is. */
export const WORK: Omit<Place, 'icon'> = { id: 'work', tabs: ['running', 'open', 'history'] };

/** First parts of addresses of earlier versions, and where they lead now. */
const MOVED: Readonly<Record<string, string>> = {
  '/site': '/devices',
  '/templates': '/changes/templates',
  '/apply': '/changes/apply',
  '/setup': '/commission',
  '/reports': '/documents',
  '/history': '/work/history',
  '/jobs': '/work/history',
  '/swap': '/devices/replace',
  '/console': '/devices/console',
};

export function moveAddress(path: string): string {
  const [old, now] =
    Object.entries(MOVED).find(([first]) => path === first || path.startsWith(`${first}/`)) ?? [];
  return old === undefined || now === undefined ? path : now + path.slice(old.length);
}

export const MOVED_PATTERN = `/:moved(${Object.keys(MOVED)
  .map((path) => path.slice(1))
  .join('|')})/:rest(.*)*`;

/** Returns the tabs of the place that has a screen at this address; none for a screen inside a tab. */
export function findTabs(
  path: string,
): { readonly place: Place['id']; readonly tabs: readonly Tab[] } | undefined {
  const [, first = '', tab = '', ...rest] = path.split('/');
  const { id, tabs = [] } = [...PLACES, WORK].find((each) => each.id === first) ?? SETTINGS;
  return tabs.some((each) => each === tab) && rest.length === 0 ? { place: id, tabs } : undefined;
}
