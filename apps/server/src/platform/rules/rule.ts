import type { AssetId } from '@clearwell/money/asset'
import type * as z from 'zod/mini'

/** A text in both languages. */
export interface Words {
  readonly en: string
  readonly 'zh-HK': string
}

/** How a part of a rule is shown: a fraction of one, an amount of an asset, a window of opening times, or as it is. */
export type RuleUnit = 'fraction' | 'opening' | 'plain' | AssetId

/** A part of a rule's value, as everyone sees it. */
export interface RulePart<Value> {
  readonly title: Words
  readonly unit: RuleUnit
  read(value: Value): string
}

/**
 * A rule of the product that can change while servers run. Its changes are announced in the database with their time. The configuration
 * file has the value for a new ledger only.
 *
 * @typeParam Value JSON, as the configuration file has it.
 */
export interface Rule<Value, Config = unknown> {
  /** Names it for the operator and in the API. */
  readonly key: string
  /** The keys of the configuration file that hold its first value. */
  readonly configKeys: readonly string[]
  readonly title: Words
  /** The role of the persons who announce a change. */
  readonly role: 'owner' | 'risk'
  readonly schema: z.ZodMiniType<Value>
  /** The value of a ledger that has none yet. */
  read(config: Config): Value
  /** Returns true for a change that can worsen a user's position: it needs notice. */
  worsens(before: Value, after: Value): boolean
  /** Why the rule cannot have a value that fits the schema; `undefined` if it can. */
  fault?(value: Value): string | undefined
  readonly parts: readonly RulePart<Value>[]
}

// biome-ignore lint/suspicious/noExplicitAny: a rule of any value; each parses its own.
export type AnyRule = Rule<any, any>

/** @example defineRule({ key: 'claim-opening', configKeys: ['claim.opening'], read: ({ claim }: PlatformConfig) => claim.opening, … }) */
export function defineRule<Value, Config>(rule: Rule<Value, Config>): Rule<Value, Config> {
  return rule
}
