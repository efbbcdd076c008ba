import { CODES, type CodeName, type Locale } from '@clearwell/api/codes'
import type { commandRoutes } from '@clearwell/api/command.routes'
import type { LookedUpCommand, ResponseOf, RouteName } from '@clearwell/api/routes'
import type { Command } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { type FoundOutcome, findOutcome } from '@clearwell/ledger/reads'
import { Refusal } from '@clearwell/ledger/refusal'
import type { Writer } from '@clearwell/ledger/writer'
import { DAY_MS } from '@clearwell/rules/spans'
import { envelope } from '../http/envelope.ts'
import type { HandlersOf } from '../http/request-context.ts'
import type { Clock } from '../time/clock.ts'
import type { RunningCommands } from './running-commands.ts'

/** The form in which the ledger stores the response of a call. */
export interface StoredAs<Name extends RouteName> {
  /** The kind of its ledger command. */
  readonly kind: string
  /**
   * Turns what the writer stored into the response of the call. Absent: it is the response.
   *
   * @throws Refusal if the call would be refused now, though its command was executed.
   */
  readonly read?: (stored: never) => ResponseOf<Name> | Promise<ResponseOf<Name>>
}

/** The stored form of each command of these routes that can be looked up. A missing one does not compile. */
export type OutcomesOf<Names extends RouteName> = { readonly [Name in Names & LookedUpCommand]: StoredAs<Name> }

export interface CommandDependencies {
  readonly db: Queryable
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly running: Pick<RunningCommands, 'has'>
  /** The stored forms of all features, by the kind of the command. */
  readonly outcomes: ReadonlyMap<string, StoredAs<never>>
  readonly retentionDays: number
}

/** `POST /Command/outcome`: what became of a command whose response was lost. */
export function commandHandlers(deps: CommandDependencies): HandlersOf<typeof commandRoutes> {
  const { db, writer, clock, running, retentionDays: retention_days } = deps
  return {
    async commandOutcome({ idempotency_key: key }, { user: { id: owner }, locale }) {
      const time = clock.now().toISOString()
      const nothing = { code: null, msg: null, data: null, expires_at: null, retention_days, time }
      if (running.has(owner, key)) return { state: 'pending', ...nothing }
      const found = await afterQueue(writer, owner, () => findOutcome<unknown>(db, { owner, key }))
      if (!found) return { state: 'unknown', ...nothing }
      const expiresAt = new Date(found.at.getTime() + retention_days * DAY_MS)
      const { code, msg, data } = await responseOf(deps, found, locale)
      return { state: 'done', code, msg, data, expires_at: expiresAt.toISOString(), retention_days, time }
    },
  }
}

/** Finds the outcome of a command. One that waits in the queue is carried out first. */
export async function afterQueue<Found>(
  writer: Pick<Writer, 'execute'>,
  owner: string,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find()
  if (found !== undefined) return found
  await writer.execute(barrierCommand(owner))
  return find()
}

/** Changes nothing. Completes after all commands that were queued before it. */
function barrierCommand(owner: string): Command<null> {
  const works = { worksStopped: true, worksLeaving: 'always' } as const
  return { kind: 'nothing', owner, ...works, payload: {}, preload: [], decide: () => ({ response: null }) }
}

/** The envelope that the command got, in the language of this request. */
async function responseOf({ outcomes }: CommandDependencies, found: FoundOutcome<unknown>, locale: Locale) {
  try {
    if ('refusal' in found) throw new Refusal(found.refusal, found.data)
    const storedAs = outcomes.get(found.kind)
    // Only a declared form is known to hold nothing but the response.
    const data = storedAs?.read ? await storedAs.read(found.ok as never) : storedAs && found.ok
    return envelope('ok', data ?? null, locale).body
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const name = Object.hasOwn(CODES, error.refusal) ? (error.refusal as CodeName) : 'something_went_wrong'
    return envelope(name, error.data, locale).body
  }
}
