/**
 * The icons in the page itself, in alphabetical order: those of the frame and of home, of closing a sheet, of failures and
 * progress (the icon service may be unreachable), and of feedback to a press. Only these add to home's size.
 */
export const FIRST_PAINT_ICONS = [
  'arrow-down-to-line',
  'arrow-left-right',
  'check',
  'chevron-left',
  'circle-alert',
  'eye',
  'eye-off',
  'house',
  'landmark',
  'languages',
  'loader-circle',
  'menu',
  'network',
  'refresh-cw',
  'triangle-alert',
  'wallet',
  'wifi-off',
  'x',
] as const

/** All other Lucide icons of the product, in alphabetical order: they come from the icon service when seen. */
export const SERVICE_ICONS = [
  'arrow-up-down',
  'arrow-up-from-line',
  'bell',
  'bell-plus',
  'box',
  'chart-candlestick',
  'chart-no-axes-combined',
  'chart-spline',
  'chevron-right',
  'circle',
  'circle-check',
  'coins',
  'copy',
  'download',
  'external-link',
  'file-text',
  'hand-coins',
  'history',
  'info',
  'layers',
  'lock',
  'log-out',
  'pencil',
  'qr-code',
  'receipt-text',
  'rocket',
  'scale',
  'search',
  'settings',
  'share-2',
  'trophy',
  'users',
] as const

/** Add a name to one of the lists to use it: `<Icon name="…" />`. */
export type IconName = (typeof FIRST_PAINT_ICONS)[number] | (typeof SERVICE_ICONS)[number]
