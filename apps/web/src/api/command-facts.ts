import type { CommandName } from './client.ts'

/**
 * Facts that the words of a command need beside its payload, also on a later visit. Amounts are decimal text. Each feature adds
 * those of its commands in `<name>.commands.ts`.
 *
 * @example
 * declare module '../../api/command-facts.ts' {
 *   interface CommandFacts {
 *     readonly repay: { readonly asset: AssetId }
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features add their commands.
export interface CommandFacts {}

export type FactsOf<Name extends CommandName> = Name extends keyof CommandFacts ? CommandFacts[Name] : undefined
