import type { GlobalThemeOverrides } from 'naive-ui';
import type { Palette } from './palette.ts';

const FONT =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif";
const MONO =
  "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** The component library in the product's clothes. */
export function buildNaiveTheme(palette: Palette): GlobalThemeOverrides {
  return {
    common: {
      fontFamily: FONT,
      fontFamilyMono: MONO,
      fontSize: '14px',
      fontSizeMedium: '14px',
      borderRadius: '8px',
      borderRadiusSmall: '6px',
      heightSmall: '32px',
      heightMedium: '36px',
      heightLarge: '44px',
      primaryColor: palette.accent,
      primaryColorHover: palette.accentHover,
      primaryColorPressed: palette.accentPressed,
      primaryColorSuppl: palette.accentHover,
      errorColor: palette.danger,
      errorColorHover: palette.dangerHover,
      errorColorPressed: palette.danger,
      errorColorSuppl: palette.dangerHover,
      textColorBase: palette.text,
      textColor1: palette.text,
      textColor2: palette.text,
      textColor3: palette.muted,
      placeholderColor: palette.muted,
      iconColor: palette.muted,
      bodyColor: palette.canvas,
      cardColor: palette.surface,
      modalColor: palette.surface,
      popoverColor: palette.surface,
      tableColor: palette.surface,
      inputColor: palette.surface,
      borderColor: palette.control,
      dividerColor: palette.line,
    },
    Button: {
      fontWeight: '500',
      fontWeightStrong: '600',
      border: `1px solid ${palette.control}`,
      textColorPrimary: palette.onAccent,
      textColorHoverPrimary: palette.onAccent,
      textColorPressedPrimary: palette.onAccent,
      textColorFocusPrimary: palette.onAccent,
      textColorDisabledPrimary: palette.onAccent,
      textColorError: palette.onDanger,
      textColorHoverError: palette.onDanger,
      textColorPressedError: palette.onDanger,
      textColorFocusError: palette.onDanger,
      colorFocusPrimary: palette.accent,
      opacityDisabled: '0.55',
    },
    Input: {
      border: `1px solid ${palette.control}`,
      borderHover: `1px solid ${palette.accent}`,
      placeholderColor: palette.muted,
      color: palette.surface,
      colorFocus: palette.surface,
      boxShadowFocus: 'none',
    },
    DataTable: {
      thColor: palette.raised,
      tdColor: palette.surface,
      tdColorHover: palette.raised,
      thTextColor: palette.muted,
      thFontWeight: '600',
      borderColor: palette.line,
      thPaddingMedium: '8px 12px',
      tdPaddingMedium: '6px 12px',
      fontSizeMedium: '14px',
    },
    Progress: { railColor: palette.sunken, fillColor: palette.accent, railHeight: '8px' },
  };
}
