import type { Hex } from '@clearwell/proofs/bytes'
import { recoverAddress, recoverMessageAddress } from 'viem'
import * as z from 'zod/mini'
import type { BookkeeperAddress } from '../../config/service-variables.ts'
import type { AskBookkeeper, BookStatement } from '../../domain/proofs/make-headers.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'

const RESPONSE_TIMEOUT_MS = 2_000
/** A header that waits longer raises the alarm, in milliseconds. */
const PATIENCE_MS = 60_000
/** While a header waits, one alarm is raised in this time. */
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

/** The bookkeeper as the leader sees it. */
export interface BookkeeperLink {
  readonly ask: AskBookkeeper
  /** Seconds for which the newest header has waited; 0 if none waits. */
  readonly waitingSeconds: () => number
}

/**
 * Reads what the bookkeeper has published about a header, and checks that its key has signed it.
 *
 * A header that waits for over a minute raises the alarm, and so does a refusal.
 *
 * @param onRefused counts a refusal.
 */
export function createBookkeeperLink(
  { url, address }: BookkeeperAddress,
  { clock, onError, onRefused }: { readonly clock: Clock; readonly onError: Report; readonly onRefused: () => void },
): BookkeeperLink {
  let waiting: { readonly number: bigint; readonly sinceMs: number; remindAtMs: number } | undefined

  function note(number: bigint, why: string): void {
    const nowMs = clock.now().getTime()
    if (waiting?.number !== number) waiting = { number, sinceMs: nowMs, remindAtMs: nowMs + PATIENCE_MS }
    if (nowMs < waiting.remindAtMs) return
    waiting.remindAtMs = nowMs + REMIND_MS
    onError(new Error(`header ${number} waits for the bookkeeper's signature: ${why}`), 'bookkeeper')
  }

  return {
    async ask({ number, hash }) {
      const found = await read(`${url}/headers/${number}`, { address, number, hash })
      if (typeof found === 'string') {
        note(number, found)
        return 'none'
      }
      waiting = undefined
      if ('refusal' in found) {
        onRefused()
        onError(new Error(`the bookkeeper refuses header ${number}: ${found.refusal.reason}`), 'bookkeeper')
      }
      return found
    },
    waitingSeconds: () => (waiting ? (clock.now().getTime() - waiting.sinceMs) / 1_000 : 0),
  }
}

/** Returns the reason why there is no statement yet as text. */
async function read(
  url: string,
  header: { readonly address: string; readonly number: bigint; readonly hash: Hex },
): Promise<Exclude<BookStatement, 'none'> | string> {
  const { address, number, hash } = header
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
    if (response.status === 404) return `it says ${JSON.stringify((await response.text()).slice(0, 200))}`
    const parsed = answer.safeParse(await response.json())
    if (!parsed.success || parsed.data.number !== `${number}`) return 'its response is not readable'
    const { data } = parsed
    if (data.hash !== hash) return `it has another header with the hash ${data.hash}`
    const signer =
      'refusal' in data
        ? await recoverMessageAddress({
            message: refusalText({ number, hash, reason: data.refusal.reason }),
            signature: data.refusal.signature as Hex,
          })
        : await recoverAddress({ hash, signature: data.signature as Hex })
    if (signer.toLowerCase() !== address) return `another key has signed: ${signer}`
    if (!('refusal' in data)) return { signature: data.signature as Hex }
    return { refusal: { reason: data.refusal.reason, signature: data.refusal.signature as Hex } }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The text that a refusal signs, as `bookkeeper/src/statements.ts` has it. */
export function refusalText({ number, hash, reason }: { number: bigint; hash: string; reason: string }): string {
  return `Clearwell bookkeeper refuses header ${number} ${hash}: ${reason}`
}
