import type { IconName } from '@clearwell/ui/icons/icon.tsx'
import type { ComponentType } from 'react'
import type { m } from '../generated/messages.ts'

/**
 * The types of `<name>.screens.ts`, the manifest of a feature's screens. A manifest is plain data that home loads and the
 * build reads: it imports types only, loads each screen on demand, and names its texts by their keys.
 */

/** The screens of a feature by bare path; each has a twin under `/en`. A parameter is `{name}`, as in the specification. */
export type Screens = Readonly<Record<`/${string}`, Screen>>

export interface Screen {
  /** The message of its heading. */
  readonly title: TitleKey
  /** Loads the screen, the default export of its file. Only home has none, because its code comes with the entry. */
  readonly load?: () => Promise<{ readonly default: ComponentType }>
  /** Types the query of the path, as `{} as LoanDraft`. The screen reads the valid part with `useReadSearch`. */
  readonly search?: object
  readonly menu?: MenuEntry
  /** The screen has a file in `content`, which loads when a link to the screen is pointed at. */
  readonly hasContent?: true
}

/** A destination of the menu, under the screen's title. */
export interface MenuEntry {
  readonly group: MenuGroup
  /** The place within the group, from 1. */
  readonly place: number
  readonly icon: IconName
}

/** The groups of the menu, in their order. */
export const MENU_GROUPS = ['money', 'lending', 'rewards', 'people', 'about'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

type Messages = typeof m

/** The key of a message without variables. */
export type TitleKey = {
  [Key in keyof Messages]: Messages[Key] extends () => string ? Key : never
}[keyof Messages]
