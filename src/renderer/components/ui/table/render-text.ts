import { h, type VNode } from 'vue';
import { reveal } from '#renderer/common/labels/format.ts';

/** Renders a text in one line of a cell; where it is cut, its title tells the rest. */
export function renderText(value: string, look = ''): VNode {
  const shown = reveal(value);
  return h('bdi', { class: ['ellipsis', 'block', look], title: shown }, shown);
}
