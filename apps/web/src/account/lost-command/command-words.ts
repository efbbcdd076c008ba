import type { LookedUpCommand, PayloadInput, ResponseOf } from '@clearwell/api/routes'
import type { ComponentType, ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import type { FactsOf } from '../../api/command-facts.ts'
import type { SentCommand } from '../../api/sent-commands.ts'

/** The command as it was sent. */
export interface Asked<Name extends LookedUpCommand> {
  readonly payload: PayloadInput<Name>
  readonly facts: FactsOf<Name>
}

/** The words for a command that is shown apart from its screen. */
export interface CommandWords<Name extends LookedUpCommand> {
  /** The request, as on a button: "Borrow 20 USDT against 0.1 BNB". */
  asked(asked: Asked<Name>): string
  /** The result in a sentence. */
  done(response: ResponseOf<Name>, asked: Asked<Name>): string
  /** Why it was refused, where the feature knows more than the server's message. */
  refused?(error: ApiError, asked: Asked<Name>): string
  /** Where the result can be seen. */
  link(response: ResponseOf<Name>, asked: Asked<Name>): ResultLink
  /** The figures of the result. */
  figures?(response: ResponseOf<Name>, asked: Asked<Name>): readonly { label: string; value: ReactNode }[]
  /** The whole result, instead of its sentence, figures and link. */
  Result?: ComponentType<Asked<Name> & { readonly response: ResponseOf<Name>; readonly onClose: () => void }>
}

/** A link to a screen. Plain text: the router's own type of it derives from the features, and so from these words. */
export interface ResultLink {
  readonly to: `/{-$locale}${string}`
  readonly search?: Readonly<Record<string, string>>
  readonly label: string
}

/** The words of these commands. A missing one does not compile. */
export type WordsOf<Names extends LookedUpCommand> = { readonly [Name in Names]: CommandWords<Name> }

export type AllCommandWords = WordsOf<LookedUpCommand>

/** The words for one stored command, whose name decides the types of the rest. */
export function wordsFor(all: AllCommandWords, { name }: Pick<SentCommand, 'name'>): CommandWords<LookedUpCommand> {
  return all[name] as unknown as CommandWords<LookedUpCommand>
}
