/** Mounts one part of the kit in the page of a component test, in the product's own clothes. */
import axe from 'axe-core';
import { NConfigProvider } from 'naive-ui';
import { createApp, h, type Component, type Plugin } from 'vue';
import { parts } from '#renderer/common/parts.ts';
import { kit } from '#renderer/components/ui/kit.ts';
import { DARK, LIGHT, buildPaletteProperties } from '#renderer/styles/palette.ts';
import { buildNaiveTheme } from '#renderer/styles/naive-theme.ts';
import { createAppI18n } from '#renderer/app/i18n.ts';
import '#renderer/styles/base.css';

export interface Mounted {
  readonly root: HTMLElement;
  /** Faults that axe finds, as `rule: target`. */
  faults(): Promise<readonly string[]>;
  end(): void;
}

export function mount(
  part: Component,
  options: {
    readonly dark?: boolean;
    readonly width?: number;
    /** Plugins in place of the words of the kit alone. */
    readonly plugins?: readonly Plugin[];
  } = {},
): Mounted {
  const root = document.createElement('main');
  root.style.width = `${options.width ?? 600}px`;
  document.documentElement.lang = 'en';
  document.title = 'A part of the kit';
  const palette = options.dark === true ? DARK : LIGHT;
  for (const [name, value] of buildPaletteProperties(palette))
    document.documentElement.style.setProperty(name, value);
  document.body.append(root);
  const app = createApp({
    render: () =>
      h(NConfigProvider, { abstract: true, themeOverrides: buildNaiveTheme(palette) }, () => h(part)),
  });
  const { plugins = [createAppI18n()] } = options;
  for (const plugin of [kit, parts, ...plugins]) app.use(plugin);
  app.mount(root);
  return {
    root,
    async faults() {
      const { violations } = await axe.run(root);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    end() {
      app.unmount();
      root.remove();
    },
  };
}
