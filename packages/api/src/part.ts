import type * as z from 'zod/mini'
import type { Route } from './route.ts'

type Routes = Readonly<Record<string, Route>>
type Notices = Readonly<Record<string, z.core.$ZodObject>>
type Fields = Readonly<Record<string, z.core.$ZodType>>
type None = Readonly<Record<never, never>>

/**
 * The calls, kinds and fields that a feature adds to the API.
 *
 * @typeParam Kind its kinds of ledger entry.
 */
export interface Part<Calls extends Routes, Kind extends string, Sent extends Notices, Published extends Fields> {
  readonly routes: Calls
  /** Kinds of ledger entry that users can see in their logs. The web names each in both languages. */
  readonly entryKinds: readonly Kind[]
  /** Kinds of notice with their facts. The web has a text for each in both languages. */
  readonly notices: Sent
  /**
   * The facts that a push message about a notice tells a device: no amounts, names and ids. Other kinds are not pushed when the
   * server sends the notice: price alerts queue theirs with their delivery, and rewards can wait until their owner opens the app.
   */
  readonly pushedFacts: PushedFacts<Sent>
  /** Fields of `GET /config`, which the server's manifest of the feature fills. */
  readonly config: Published
}

type PushedFacts<Sent extends Notices> = { readonly [Kind in keyof Sent]?: readonly (keyof z.output<Sent[Kind]>)[] }

type Given<Whole extends { readonly routes: unknown }> = Pick<Whole, 'routes'> & Partial<Omit<Whole, 'routes'>>

/**
 * Declares what a feature adds to the API. `parts.ts` lists it.
 *
 * @example
 * export const tipsPart = definePart({
 *   routes: tipsRoutes,
 *   entryKinds: ['tip'],
 *   notices: { tip_received: z.object({ amount: decimalText, asset }) },
 * })
 */
export function definePart<
  const Calls extends Routes,
  const Kind extends string = never,
  const Sent extends Notices = None,
  const Published extends Fields = None,
>(part: Given<Part<Calls, Kind, Sent, Published>>): Part<Calls, Kind, Sent, Published> {
  const none = { entryKinds: [], notices: {}, pushedFacts: {}, config: {} }
  return { ...none, ...part } as unknown as Part<Calls, Kind, Sent, Published>
}
