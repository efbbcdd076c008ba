import type { Hex } from '@clearwell/proofs/bytes'
import { recoverAddress, recoverMessageAddress } from 'viem'
import * as z from 'zod/mini'
import type { BookkeeperAddress } from '../../config/service-variables.ts'
import type { AskBookkeeper } from '../../domain/proofs/make-headers.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type BookAnswer, chooseStatement } from './choose-statement.ts'

const RESPONSE_TIMEOUT_MS = 2_000
/** A header that waits longer raises the alarm, and so does a bookkeeper that is away for longer, in milliseconds. */
const PATIENCE_MS = 60_000
/** While it lasts, one alarm is raised in this time. */
const REMIND_MS = 60_000

const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`)))
const answer = z.union([
  z.object({ number: z.string(), hash: hex(32), signature: hex(65) }),
  z.object({
    number: z.string(),
    hash: hex(32),
    refusal: z.object({ reason: z.string().check(z.maxLength(500)), signature: hex(65) }),
  }),
])

/** The bookkeepers as the leader sees them. */
export interface BookkeeperLink {
  readonly ask: AskBookkeeper
  /** Seconds for which the newest header has waited; 0 if none waits. */
  readonly waitingSeconds: () => number
  /** Seconds for which each bookkeeper has not answered; 0 if it has answered the last time. In the order of the configuration. */
  readonly awaySeconds: () => readonly { readonly address: string; readonly seconds: number }[]
}

interface LinkDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly onError: Report
  readonly onRefused: (address: string) => void
}

/**
 * Reads what the bookkeepers have published about a header, and checks that their keys have signed it.
 *
 * A header that waits for over a minute raises the alarm, and so does a refusal. One of several bookkeepers that is away for over a
 * minute raises another alarm: then nothing replaces the one that signs.
 *
 * @param bookkeepers in the order in which their signatures count.
 * @param onRefused counts a refusal.
 */
export function createBookkeeperLink(
  bookkeepers: readonly BookkeeperAddress[],
  { clock, onError, onRefused }: LinkDependencies,
): BookkeeperLink {
  const alarmWhenLong = (task: string) => createPatience(clock, (message) => onError(new Error(message), task))
  // Of a single bookkeeper the waiting header says it.
  const ownPatience = () =>
    bookkeepers.length > 1 ? alarmWhenLong('bookkeeper away') : createPatience(clock, () => {})
  const patience = alarmWhenLong('bookkeeper')
  const each = bookkeepers.map((bookkeeper) => ({ ...bookkeeper, patience: ownPatience() }))

  return {
    async ask({ number, hash }) {
      patience.begin(number)
      const answers = await Promise.all(
        each.map(({ url, address }) => read(`${url}/headers/${number}`, { address, number, hash })),
      )
      for (const [index, { address, patience: own }] of each.entries()) {
        const answer = answers[index] as BookAnswer
        if ('away' in answer) own.note(`the bookkeeper ${address} does not answer: ${answer.away}`, 'away')
        else own.end()
      }
      const chosen = chooseStatement(answers, 1_000 * patience.seconds())
      if (chosen === 'none') {
        const reasons = answers.map((answer) =>
          'away' in answer ? answer.away : 'later' in answer ? answer.later : '',
        )
        patience.note(`header ${number} waits for a bookkeeper's signature: ${reasons.join('; ')}`, number)
        return 'none'
      }
      patience.end()
      if ('refusal' in chosen) {
        const { address } = each[answers.indexOf(chosen)] as BookkeeperAddress
        onRefused(address)
        onError(new Error(`the bookkeeper ${address} refuses header ${number}: ${chosen.refusal.reason}`), 'bookkeeper')
      }
      return chosen
    },
    waitingSeconds: patience.seconds,
    awaySeconds: () => each.map(({ address, patience: own }) => ({ address, seconds: own.seconds() })),
  }
}

interface Waiting {
  readonly of: bigint | 'away'
  readonly sinceMs: number
  remindAtMs: number
}

/** Measures how long a state lasts, and raises an alarm once a minute after its first minute. */
function createPatience(clock: Pick<Clock, 'now'>, alarm: (message: string) => void) {
  let state: Waiting | undefined
  const begin = (of: bigint | 'away'): Waiting => {
    const nowMs = clock.now().getTime()
    if (state?.of !== of) state = { of, sinceMs: nowMs, remindAtMs: nowMs + PATIENCE_MS }
    return state
  }
  return {
    begin,
    note(message: string, of: bigint | 'away'): void {
      const nowMs = clock.now().getTime()
      const current = begin(of)
      if (nowMs < current.remindAtMs) return
      current.remindAtMs = nowMs + REMIND_MS
      alarm(message)
    },
    end(): void {
      state = undefined
    },
    seconds: () => (state ? (clock.now().getTime() - state.sinceMs) / 1_000 : 0),
  }
}

/** Reads one bookkeeper's answer. Only a statement that its key has signed is one. */
async function read(
  url: string,
  header: { readonly address: string; readonly number: bigint; readonly hash: Hex },
): Promise<BookAnswer> {
  const { address, number, hash } = header
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
    if (response.status === 404) return { later: `it says ${JSON.stringify((await response.text()).slice(0, 200))}` }
    const parsed = answer.safeParse(await response.json())
    if (!parsed.success || parsed.data.number !== `${number}`) return { away: 'its response is not readable' }
    const { data } = parsed
    if (data.hash !== hash) return { away: `it has another header with the hash ${data.hash}` }
    const signer =
      'refusal' in data
        ? await recoverMessageAddress({
            message: refusalText({ number, hash, reason: data.refusal.reason }),
            signature: data.refusal.signature as Hex,
          })
        : await recoverAddress({ hash, signature: data.signature as Hex })
    if (signer.toLowerCase() !== address) return { away: `another key has signed: ${signer}` }
    if (!('refusal' in data)) return { signature: data.signature as Hex }
    return { refusal: { reason: data.refusal.reason, signature: data.refusal.signature as Hex } }
  } catch (error) {
    return { away: error instanceof Error ? error.message : String(error) }
  }
}

/** The text that a refusal signs, as `bookkeeper/src/statements.ts` has it. */
export function refusalText({ number, hash, reason }: { number: bigint; hash: string; reason: string }): string {
  return `Clearwell bookkeeper refuses header ${number} ${hash}: ${reason}`
}
