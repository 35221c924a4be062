import { computed, onMounted, shallowRef, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { useRoute } from 'vue-router';
import { operations } from '#protocol/catalogue.ts';
import { isExpectedArea } from '#protocol/kinds.ts';
import { getApi } from '#renderer/client/use-client.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { useSelectionActions } from '#renderer/common/devices/selection-actions.ts';
import { useSelectionName } from '#renderer/common/devices/selection-name.ts';
import { useFieldLabels } from '#renderer/common/labels/field-labels.ts';
import { reveal } from '#renderer/common/labels/format.ts';
import { getOperationLabel } from '#renderer/common/labels/operation-label.ts';
import { formatTemplateName } from '#renderer/common/labels/template-labels.ts';
import { buildIndex, type FieldEntry } from '#renderer/features/device/search/field-search.ts';
import { pageLink, pages } from '#renderer/features/device/workspace/pages.ts';
import { LANGUAGES, loadTranslation, type Translation } from '#shared/details/languages.ts';
import type { Device, TemplateEntry } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { PLACES, SETTINGS, WORK } from '../places.ts';
import { findEntries, splitWords, type CommandEntry } from './find-entries.ts';

/** Devices that one field is offered on; a word of its name finds any other. */
const MOST_DEVICES = 4;
const MOST_FIELDS = 24;

/** Returns what a query finds: actions on the selection, places, devices, templates, fields and operations. */
export function useEntries(query: Readonly<{ value: string }>): ComputedRef<readonly CommandEntry[]> {
  const { t } = useI18n();
  const route = useRoute();
  const devices = useDevices();
  const words = useFieldLabels();
  const templates = shallowRef<readonly TemplateEntry[]>([]);
  const translations = shallowRef<readonly Translation[]>([]);

  onMounted(async () => {
    // Every language is searched, whichever is shown.
    translations.value = await Promise.all(LANGUAGES.map(loadTranslation));
  });
  onMounted(async () => {
    // The rest is as good when the engine cannot be reached.
    templates.value = await getApi()
      .templates.list()
      .catch(() => []);
  });

  /** The device whose page is open, or the only one that is chosen. */
  const current = computed<Device | undefined>(() => {
    const { id } = route.params;
    const open =
      route.path.startsWith('/devices/') && typeof id === 'string' ? devices.byId.get(id) : undefined;
    return open ?? (devices.chosenDevices.length === 1 ? devices.chosenDevices[0] : undefined);
  });

  const nameSelection = useSelectionName();
  const actions = useSelectionActions();
  const selection = computed<readonly CommandEntry[]>(() => {
    if (devices.chosen.size === 0) return [];
    const hint = nameSelection(devices.chosenDevices);
    return actions.value.map(({ text, run }) => ({ group: 'selection', label: text, hint, to: run }));
  });

  const places = computed<readonly CommandEntry[]>(() => {
    const place = (label: string, path: string, hint?: string): CommandEntry => ({
      group: 'place',
      label,
      to: { path },
      ...removeUndefined({ hint }),
    });
    const all = [...PLACES, WORK, SETTINGS];
    return [
      ...all.flatMap(({ id, tabs = [] }) => [
        place(t(`nav.${id}`), `/${id}`),
        ...tabs.map((tab) => place(t(`nav.tab.${tab}`), `/${id}/${tab}`, t(`nav.${id}`))),
      ]),
      place(t('replacement.title'), '/devices/replace', t('nav.devices')),
      place(t('replacement.archive'), '/devices/archive', t('nav.devices')),
      place(t('console.title'), '/devices/console', t('nav.devices')),
      place(t('templates.newTemplate'), '/changes/templates/new', t('nav.changes')),
      place(t('people.bring.title'), '/people/bring', t('nav.people')),
      place(t('people.places.title'), '/people/places', t('nav.people')),
      place(t('enrol.title'), '/people/enrol', t('nav.people')),
      place(t('models.send.title'), '/models/send', t('nav.models')),
    ];
  });

  const known = computed<readonly CommandEntry[]>(() =>
    devices.list.map((device) => ({
      group: 'device',
      label: reveal(device.name),
      hint: device.url.replace(/^https?:\/\//, ''),
      also: [...device.tags, ...device.kinds.map((kind) => t(`kind.${kind}`))].join(' '),
      to: { path: `/devices/${encodeURIComponent(device.id)}` },
    })),
  );

  const applicable = computed<readonly CommandEntry[]>(() =>
    templates.value.map((entry) => ({
      group: 'template',
      label: formatTemplateName(entry),
      also: `${entry.name} ${entry.description ?? ''}`,
      to: { path: '/changes/apply', query: { template: entry.id } },
    })),
  );

  const asked = computed<readonly CommandEntry[]>(() =>
    operations.map((operation) => ({
      group: 'operation',
      label: getOperationLabel(words.value.fields, operation),
      hint: `${operation.method} ${operation.path}`,
      also: `${operation.id} ${operation.label}`,
      to: {
        path: `/devices/console/${operation.id}`,
        query: current.value === undefined ? {} : { device: current.value.id },
      },
    })),
  );

  const index = computed(() =>
    buildIndex(
      pages.filter(({ kind }) => kind !== 'limits'),
      [words.value.fields, ...translations.value.map(({ fields }) => fields)],
    ),
  );

  /** Fields for those words of the query that are not of a device: "bay 2 emissivity". */
  function findFields(): readonly CommandEntry[] {
    const wanted = splitWords(query.value);
    const found: CommandEntry[] = [];
    for (const entry of index.value) {
      const others = wanted.filter((word) => !entry.text.includes(word));
      if (others.length === wanted.length) continue;
      for (const device of listTargets(entry, others)) found.push(toFieldEntry(entry, device));
      if (found.length > 400) break;
    }
    return findEntries(found, query.value, MOST_FIELDS);
  }

  function listTargets(entry: FieldEntry, named: readonly string[]): readonly Device[] {
    const has = (device: Device): boolean => isExpectedArea(entry.page.area, device.kinds);
    if (named.length === 0 && current.value !== undefined) return has(current.value) ? [current.value] : [];
    const targets: Device[] = [];
    for (const device of devices.list) {
      const text = `${device.name} ${device.url}`.toLowerCase();
      if (named.every((word) => text.includes(word)) && has(device)) targets.push(device);
      if (targets.length === MOST_DEVICES) break;
    }
    return targets;
  }

  function toFieldEntry(entry: FieldEntry, device: Device): CommandEntry {
    return {
      group: 'field',
      label: entry.label,
      hint: `${reveal(device.name)} › ${getOperationLabel(words.value.fields, entry.page.operation)}`,
      also: `${entry.text} ${device.url}`,
      to: pageLink(device.id, entry.page, entry.target === undefined ? {} : { field: entry.target }),
    };
  }

  return computed(() => {
    if (splitWords(query.value).length === 0) return [...selection.value, ...places.value];
    const fields = query.value.trim().length < 3 ? [] : findFields();
    const rest = [selection, places, known, applicable, asked].flatMap((entries) => entries.value);
    return findEntries([...rest, ...fields], query.value);
  });
}
