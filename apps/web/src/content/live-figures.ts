import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import type { CommandName } from '../api/client.ts'
import type { CallName } from '../generated/calls.ts'

/**
 * The types of `<name>.figures.ts`: live figures that the whitepaper and other texts include by their names, such as
 * `{plan_least}`. They load with the screens that show such texts.
 */

/** A call that live figures come from: it needs no payload. */
export type FigureCall = {
  [Name in Exclude<CallName, CommandName>]: Record<never, never> extends PayloadInput<Name> ? Name : never
}[Exclude<CallName, CommandName>]

export interface LiveFigure {
  readonly call: FigureCall
  /** Formats the figure of a response to the call, in the current language. */
  readonly format: (response: never) => string
}

/** Live figures by their names in texts. */
export type LiveFigures = Readonly<Record<string, LiveFigure>>

/**
 * Describes the live figures of one call.
 *
 * @example export default liveFiguresOf('boxRules', { box_level_step: ({ formula }) => formula.level_step })
 */
export function liveFiguresOf<Call extends FigureCall>(
  call: Call,
  formats: Readonly<Record<string, (response: ResponseOf<Call>) => string>>,
): LiveFigures {
  return Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, { call, format }]))
}

/** @throws Error if two features have a figure of the same name. */
export function mergeLiveFigures(all: readonly LiveFigures[]): LiveFigures {
  const entries = all.flatMap((each) => Object.entries(each))
  const merged = new Map(entries)
  const twice = entries.find(([name, figure]) => merged.get(name) !== figure)
  if (twice) throw new Error(`two features have a live figure ${twice[0]}`)
  return Object.fromEntries(merged)
}

let load: (() => Promise<LiveFigures>) | undefined
let loaded: LiveFigures | undefined

/** Called once, with the live figures of all features. */
export function provideLiveFigures(from: () => Promise<LiveFigures>): void {
  load = from
}

/** Loads the live figures of all features, beside a screen that shows texts with figures. */
export async function loadLiveFigures(): Promise<void> {
  if (!load) throw new Error('the live figures of the features are not provided')
  loaded = await load()
}

/** A live figure by its name. The manifest of a screen that shows it loads it with the screen: see `together`. */
export function liveFigure(name: string): LiveFigure {
  if (!loaded) throw new Error('the live figures of the features are not loaded')
  const figure = loaded[name]
  if (!figure) throw new Error(`there is no live figure ${name}`)
  return figure
}
