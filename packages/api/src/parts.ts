import { activationPart } from './activation.part.ts'
import { alertPart } from './alert.part.ts'
import { blindBoxPart } from './blind-box.part.ts'
import { exitPart } from './exit.part.ts'
import { liquidationPart } from './liquidation.part.ts'
import { marketRoutes } from './market.routes.ts'
import { nodeRoutes } from './node.routes.ts'
import { definePart } from './part.ts'
import { planPart } from './plan.part.ts'
import { proofPart } from './proof.part.ts'
import { rankRoutes } from './rank.routes.ts'
import { richPart } from './rich.part.ts'
import { sessionPart } from './session.part.ts'
import { stakePart } from './stake.part.ts'
import { swapPart } from './swap.part.ts'
import { teamPart } from './team.part.ts'
import { walletPart } from './wallet.part.ts'

/**
 * The parts of the API, one for each feature: the only list of them in this package. The table of calls, the kinds of entry and of notice,
 * and the fields of `GET /config` derive from it. Calls that show something of all features are in `routes.ts` instead.
 */
const PARTS = [
  sessionPart,
  walletPart,
  activationPart,
  swapPart,
  planPart,
  definePart({ routes: marketRoutes }),
  stakePart,
  liquidationPart,
  teamPart,
  definePart({ routes: rankRoutes }),
  blindBoxPart,
  definePart({ routes: nodeRoutes }),
  richPart,
  alertPart,
  proofPart,
  exitPart,
] as const

type AnyPart = (typeof PARTS)[number]

/** Every kind of ledger entry that users can see in their logs. */
export type EntryKind = AnyPart['entryKinds'][number]

/** Every kind of ledger entry, by feature. */
export const ENTRY_KINDS: readonly EntryKind[] = PARTS.flatMap(({ entryKinds }): readonly EntryKind[] => entryKinds)

/** The type with everything that the members of a union have. */
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? { readonly [Key in keyof All]: All[Key] }
  : never

/**
 * Merges what all parts have under a key.
 *
 * @throws Error if two parts add the same.
 */
export function mergeParts<Key extends 'routes' | 'notices' | 'pushedFacts' | 'config'>(
  key: Key,
): Merged<AnyPart[Key]> {
  const entries = PARTS.flatMap((part) => Object.entries(part[key]))
  const names = entries.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two parts of the API add ${twice} to their ${key}`)
  return Object.fromEntries(entries) as Merged<AnyPart[Key]>
}
