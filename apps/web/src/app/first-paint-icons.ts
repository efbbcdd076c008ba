import type { IconName } from '@clearwell/ui/generated/icon-names.ts'

/**
 * The icons in the page itself, in alphabetical order: those of the frame and of home, of closing a sheet, of failures and
 * progress (the icon service may be unreachable), and of feedback to a press. Only these add to home's size: all others
 * come from the icon service when they are seen.
 */
export const FIRST_PAINT_ICONS = [
  'arrow-down-to-line',
  'arrow-left-right',
  'arrow-up-from-line',
  'check',
  'chevron-left',
  'circle-alert',
  'eye',
  'eye-off',
  'history',
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
] as const satisfies readonly IconName[]

/**
 * The marks of assets that home shows to everyone, besides that of RT. In the page too: the code that asks for others has
 * more bytes than they have.
 */
export const FIRST_PAINT_MARKS = ['bnb', 'eth', 'usdt'] as const
