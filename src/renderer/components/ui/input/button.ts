/** The library's button, with its picture as a property. */
import { NButton as LibraryButton, type ButtonProps } from 'naive-ui';
import { h, type FunctionalComponent } from 'vue';
import Icon from '../Icon.vue';
import type { IconName } from '../icons.ts';

/** Renders the library's button; other properties go to it. */
export const NButton: FunctionalComponent<ButtonProps & { readonly icon?: IconName }> = (
  { icon },
  { slots, attrs },
) =>
  h(LibraryButton, attrs, {
    ...slots,
    ...(icon && { icon: () => h(Icon, { of: icon, size: attrs['size'] === 'small' ? 16 : 18 }) }),
  });
NButton.props = ['icon'] as never;
NButton.inheritAttrs = false;
