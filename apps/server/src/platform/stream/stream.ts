import type { ServerResponse } from 'node:http'
import type { Channel, PublicChannel } from '@clearwell/api/stream'
import type { SignedIn } from '../http/request-context.ts'
import { userAccounts } from '../ledger/accounts.ts'
import { invalidField, refusal } from '../ledger/refuse.ts'
import { AccountFollower, resetFrame } from './account-follower.ts'
import { eventFrame, retryFrame } from './frame.ts'
import { createLedgerFeed, entryFrames } from './ledger-feed.ts'
import { Listener } from './listener.ts'
import { Places, type StreamLimits } from './places.ts'
import type { PublicAnswers } from './public-answers.ts'
import { createStateChannels } from './state-channels.ts'
import type { StreamStore } from './stream.store.ts'
import type { StreamTimes } from './stream-times.ts'

/** Postings that are told after a reconnect; who missed more asks for everything again. */
const MAX_MISSED = 200
/** Who comes back all at once after a restart is spread over this long. */
const COME_BACK_MS = { atLeast: 500, atMost: 3_000 } as const
/** Session hashes in one statement. */
const SESSIONS_AT_ONCE = 1_000

/** How often is looked: what a change costs, and how old a price may be that someone sees. */
const STREAM_TIMES: StreamTimes = {
  tickMs: 500,
  pollMs: 250,
  gapMs: 100,
  beatMs: 15_000,
  sessionCheckMs: 3_000,
  failingMs: 3_000,
}

const STREAM_LIMITS: StreamLimits = { inAll: 10_000, perAddress: 100, perSession: 8 }

export interface StreamDependencies {
  readonly store: StreamStore
  readonly answers: PublicAnswers
  /** Which of these sessions are still good. */
  readonly openSessions: (tokenHashes: readonly string[]) => Promise<ReadonlySet<string>>
  readonly onError: (error: unknown, doing: string) => void
  readonly times?: StreamTimes
  readonly limits?: StreamLimits
}

export interface StreamRequest {
  readonly channels: readonly Channel[]
  readonly address: string
  /** Who asks; needed for `account`. */
  readonly user: SignedIn | undefined
  readonly lastEventId: bigint | undefined
}

export interface Streams {
  /**
   * Opens a stream on a response of which nothing was sent yet, whose head `sendHead` sends.
   *
   * @throws Refusal before anything is sent.
   */
  open(request: StreamRequest, response: ServerResponse, sendHead: () => void): Promise<void>
  /**
   * Tells those of a user's devices that listen on this server of something that is no entry of the ledger. It has no id
   * and is not told again after a reconnect: what must not be missed has its own call to be asked for.
   */
  publishToAccount(userId: string, event: { readonly name: string; readonly data: unknown }): void
  /** Something was committed here. */
  wake(): void
  /** Tells everyone to come back in a moment, and takes nobody any more. */
  drain(): void
}

interface OpenStream {
  readonly listener: Listener
  readonly session: string | undefined
}

/** All open streams of this server: everyone's channels, and each user's own. */
export function createStreams(deps: StreamDependencies): Streams {
  const { store, answers, onError, times = STREAM_TIMES, limits = STREAM_LIMITS } = deps
  const places = new Places(limits)
  const openStreams = new Set<OpenStream>()
  let isDraining = false

  const comeBack = (listener: Listener) => {
    const { atLeast, atMost } = COME_BACK_MS
    listener.end(retryFrame(Math.round(atLeast + Math.random() * (atMost - atLeast))))
  }
  const channels = createStateChannels({ answers, times, onError })
  const feed = createLedgerFeed({ store, times, onError })

  const beating = setInterval(() => {
    const nowMs = performance.now()
    for (const { listener } of openStreams) listener.beat(nowMs)
  }, times.beatMs)
  const checking = setInterval(() => {
    checkSessions().catch((error) => onError(error, 'sessions of streams'))
  }, times.sessionCheckMs)
  beating.unref()
  checking.unref()

  /** Wherever a session was ended: its streams end within seconds. */
  async function checkSessions(): Promise<void> {
    const bySession = Map.groupBy(
      [...openStreams].filter(({ session }) => session !== undefined),
      ({ session }) => session as string,
    )
    const hashes = [...bySession.keys()]
    for (let at = 0; at < hashes.length; at += SESSIONS_AT_ONCE) {
      const asked = hashes.slice(at, at + SESSIONS_AT_ONCE)
      const good = await deps.openSessions(asked)
      for (const hash of asked)
        if (!good.has(hash))
          for (const { listener } of bySession.get(hash) ?? []) listener.end(eventFrame('signed_out', '{}'))
    }
  }

  /** What of the user's happened after one entry and up to another, or `undefined` where it is too much. */
  async function missedBy(userId: string, after: bigint, to: bigint) {
    const rows = await store.postingsOf({ accounts: userAccounts(userId), after, to, limit: MAX_MISSED + 1 })
    return rows.length > MAX_MISSED ? undefined : [...entryFrames(rows, (each) => each === userId)]
  }

  /** Where the told entries begin for someone who was told up to `lastEventId`, and what was missed since. */
  async function beginningOf(userId: string, tip: bigint, lastEventId: bigint | undefined) {
    if (lastEventId === undefined) return { told: tip, missed: [] }
    // Told by a server that has looked later than this one: what it told is not told again.
    if (lastEventId > tip && lastEventId <= (await store.tip())) return { told: lastEventId, missed: [] }
    const missed = lastEventId > tip ? undefined : await missedBy(userId, lastEventId, tip)
    // An id of another ledger, or from too long ago.
    if (!missed) return { told: tip, missed: [{ seq: tip, frame: resetFrame(tip) }] }
    return { told: tip, missed }
  }

  return {
    async open({ channels: names, address, user, lastEventId }, response, sendHead) {
      if (isDraining) throw refusal('not_ready')
      const mine = names.includes('account') ? user : undefined
      if (names.includes('account') && !mine) throw refusal('sign_in_again')
      const { socket } = response
      // Behind another request of the same connection.
      if (!socket) throw invalidField('connection', 'a stream needs one of its own')
      const leavePlace = places.take({ address, session: mine?.tokenHash })
      const listener = new Listener(
        socket,
        names.filter((name): name is PublicChannel => name !== 'account').toSorted(),
        channels.newest,
      )
      const stream: OpenStream = { listener, session: mine?.tokenHash }
      const follower = new AccountFollower(listener, comeBack)
      const leave = () => {
        openStreams.delete(stream)
        channels.leave(listener)
        if (mine) feed.leave(mine.id, follower)
        leavePlace()
      }
      socket.once('close', leave)
      try {
        const tip = mine ? await feed.follow(mine.id, follower) : undefined
        const values = await channels.look(listener.channels)
        const { told, missed } =
          mine && tip !== undefined ? await beginningOf(mine.id, tip, lastEventId) : { told: undefined, missed: [] }
        if (isDraining) throw refusal('not_ready')
        sendHead()
        listener.begin()
        openStreams.add(stream)
        // A client that went away meanwhile: its end was told before there was anything to end.
        if (socket.destroyed) return leave()
        const ready = JSON.stringify({ channels: names })
        // Where events are missing their ids come with them: this one must not say that all is told.
        listener.sendEvent(eventFrame('ready', ready, missed.length === 0 ? told : undefined))
        if (told !== undefined) follower.begin(told, missed)
        channels.join(listener, values)
      } catch (error) {
        socket.off('close', leave)
        leave()
        throw error
      }
    },
    publishToAccount(userId, { name, data }) {
      feed.publish(userId, eventFrame(name, JSON.stringify(data)))
    },
    wake: feed.wake,
    drain() {
      isDraining = true
      clearInterval(beating)
      clearInterval(checking)
      channels.stop()
      feed.stop()
      for (const { listener } of openStreams) comeBack(listener)
    },
  }
}
