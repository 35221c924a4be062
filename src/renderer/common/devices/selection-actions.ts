/** Actions on the chosen devices, in one table: the bar of the list and the command bar offer the same. */
import { computed, shallowRef, type ComputedRef } from 'vue';
import type { IconName } from '#renderer/components/ui/icons.ts';
import { useI18n } from 'vue-i18n';
import { useRoute, useRouter } from 'vue-router';
import { useDevices } from './devices.store.ts';

const LIST = '/devices';
/** Actions that the list carries out: their dialogs belong to it. */
export type ListAction = 'sign-in' | 'test-devices' | 'tags' | 'move-to-site' | 'remove-devices';

interface SelectionAction {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  readonly run: () => void;
}

const asked = shallowRef<ListAction>();

/** Returns the action that the list is to carry out now, and takes the request back. */
export function takeListAction(): ListAction | undefined {
  const action = asked.value;
  asked.value = undefined;
  return action;
}

export function useListAction(): Readonly<typeof asked> {
  return asked;
}

/** Returns the actions that fit the selection, in the order of their frequency. */
export function useSelectionActions(): ComputedRef<readonly SelectionAction[]> {
  const { t } = useI18n();
  const route = useRoute();
  const router = useRouter();
  const devices = useDevices();

  const open =
    (path: string, query: Readonly<Record<string, string>> = {}) =>
    (): void =>
      void router.push({ path, query });
  const ask = (action: ListAction) => (): void => {
    asked.value = action;
    if (route.path !== LIST) void router.push(LIST);
  };

  return computed(() => {
    const [device, another] = devices.chosen;
    const isOne = device !== undefined && another === undefined;
    const of: Readonly<Record<string, string>> = isOne ? { device } : {};
    const action = (id: string, icon: IconName, text: string, run: () => void): SelectionAction => ({
      id,
      icon,
      text,
      run,
    });
    const listAction = (id: ListAction, icon: IconName, text: string): SelectionAction =>
      action(id, icon, text, ask(id));
    return [
      action('apply-template', 'apply', t('site.apply'), open('/changes/apply', { new: '1' })),
      listAction('sign-in', 'key', t('site.signInAction')),
      listAction('test-devices', 'test', t('site.test')),
      action('change-setting', 'change', t('setting.title'), open('/changes/setting')),
      listAction('tags', 'tag', t('site.tagsAction')),
      action('report-devices', 'report', t('reports.ofDevice'), open('/documents', { of: 'chosen' })),
      listAction('move-to-site', 'place', t('site.moveAction')),
      action('commission', 'setup', t('command.commission'), open('/commission', of)),
      ...(isOne
        ? [
            action('replace-device', 'swap', t('replacement.ofDevice'), open('/devices/replace', of)),
            action('history-of', 'history', t('history.ofDevice'), open('/work/history', of)),
            action('console-of', 'console', t('console.title'), open('/devices/console', of)),
          ]
        : []),
      listAction('remove-devices', 'remove', t('site.removeAction')),
    ];
  });
}
