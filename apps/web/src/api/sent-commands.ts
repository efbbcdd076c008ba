import type { LookedUpCommand, PayloadInput } from '@clearwell/api/routes'
import { createStore } from '@clearwell/ui/browser/store.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'
import { calls } from '../generated/calls.ts'
import type { FactsOf } from './command-facts.ts'
import { serverNowMs } from './server-clock.ts'
import { sessionStore } from './session-store.ts'

/**
 * A command that was confirmed, and whose outcome the user may not have seen. It is stored on this device before it is sent:
 * its idempotency key finds its outcome on the server and makes it safe to send again.
 */
export interface SentCommand<Name extends LookedUpCommand = LookedUpCommand> {
  readonly key: string
  readonly name: Name
  readonly payload: PayloadInput<Name>
  readonly facts: FactsOf<Name>
  /** A lower bound of the server's time when it was first sent, in milliseconds; `null` where it was not known. */
  readonly sentAtMs: number | null
}

/** The commands without a seen outcome. Each has its own key, so that two tabs never lose one. */
const sentCommands = stored<SentCommand>({
  key: 'clearwell.until-disconnect.commands',
  scope: 'device',
  owner: true,
  clearsOnDisconnect: true,
  keep: 20,
  schema: (value) => (isSentCommand(value) ? value : undefined),
})

/** The keys of the commands that this page is sending now, their retries and pauses included; twice if it is sent twice. */
export const sendingStore = createStore<readonly string[]>([])

/** The stored commands of an account. */
export const sentCommandsOf = sentCommands.of

/** The stored commands of the account that is signed in. */
export function ownSentCommands(): ReturnType<typeof sentCommandsOf> {
  return sentCommandsOf(sessionStore.get().user?.address ?? '')
}

/** Stores a command before each attempt. The first one decides its time. */
export function storeCommand({ key, name, payload, facts }: Omit<SentCommand, 'sentAtMs'>): SentCommand {
  const commands = ownSentCommands()
  const known = commands.get(key)
  const sent = known ?? { key, name, payload, facts, sentAtMs: serverNowMs() ?? null }
  if (!known) commands.put(key, sent)
  return sent
}

/**
 * Marks a command as being sent until `settled`, for this page and for the other tabs. The browser ends the mark of a page
 * that dies.
 */
export function markSending(key: string, settled: Promise<void>): void {
  sendingStore.set([...sendingStore.get(), key])
  void settled.then(() => sendingStore.set(sendingStore.get().toSpliced(sendingStore.get().indexOf(key), 1)))
  if (canWaitForTabs()) void navigator.locks.request(lockOf(key), () => settled)
}

/** Returns whether tabs can wait for each other; without it a page shows what another one is still sending. */
export function canWaitForTabs(): boolean {
  return navigator.locks !== undefined
}

/** Resolves once no tab is sending the command any more. */
export async function untilSettled(key: string): Promise<void> {
  await navigator.locks.request(lockOf(key), () => {})
}

const lockOf = (key: string) => `clearwell.command.${key}`

function isSentCommand(value: unknown): value is SentCommand {
  const { key, name, payload, sentAtMs } = (value ?? {}) as Partial<SentCommand>
  const call = typeof name === 'string' && Object.hasOwn(calls, name) ? calls[name] : undefined
  return (
    typeof key === 'string' &&
    /^[\w-]{8,64}$/.test(key) &&
    call?.isLookedUp === true &&
    typeof payload === 'object' &&
    payload !== null &&
    (sentAtMs === null || typeof sentAtMs === 'number')
  )
}
