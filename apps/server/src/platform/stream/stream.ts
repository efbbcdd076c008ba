import type { ServerResponse } from 'node:http'
import type { Channel, PublicChannel } from '@clearwell/api/stream'
import type { SignedIn } from '../http/request-context.ts'
import { invalidField, refusal } from '../ledger/refuse.ts'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import { AccountFollower, type Beginning, findBeginning } from './account-follower.ts'
import type { ChannelSource } from './channel.ts'
import { ConnectionLimiter, type StreamLimits } from './connection-limiter.ts'
import { eventFrame } from './frame.ts'
import { createLedgerFeed, type FeedTimes, type LedgerFeed } from './ledger-feed.ts'
import { Listener } from './listener.ts'
import { endForReconnect, type OpenStream, OpenStreams } from './open-streams.ts'
import { type ChannelTimes, createStateChannels, type StateChannels } from './state-channels.ts'
import type { StreamStore } from './stream.store.ts'

/** How often the stream reads, and what counts as failing. */
export interface StreamTimes extends ChannelTimes, FeedTimes {
  readonly beatMs: number
  readonly sessionCheckMs: number
}

/** A shorter tick or poll costs more reads; a longer one shows older prices. */
const STREAM_TIMES: StreamTimes = {
  tickMs: 500,
  pollMs: 250,
  gapMs: 100,
  beatMs: 15_000,
  sessionCheckMs: 3_000,
  failingMs: 3_000,
}

const STREAM_LIMITS: StreamLimits = {
  inAll: 10_000,
  perAddress: 100,
  sessionsPerAddress: 1_000,
  perAccount: 24,
  perSession: 8,
}

export interface StreamDependencies {
  readonly store: StreamStore
  /** The public channels that features provide; read at each request. */
  readonly channels: readonly ChannelSource[]
  /** Returns the hashes among these whose sessions are valid. */
  readonly openSessions: (tokenHashes: readonly string[]) => Promise<ReadonlySet<string>>
  readonly onError: Report
  readonly times?: StreamTimes
  readonly limits?: StreamLimits
}

export interface StreamRequest {
  readonly channels: readonly Channel[]
  readonly address: string
  /** The signed-in user; `account` needs one. */
  readonly user: SignedIn | undefined
  readonly lastEventId: bigint | undefined
}

export interface Streams {
  /** The number of open streams. */
  readonly count: number
  /** Milliseconds since the ledger was last read to its end; `undefined` while no account listens. */
  readonly lagMs: number | undefined
  /**
   * Opens a stream on a response that has sent nothing yet. `sendHead` sends its head.
   *
   * @throws Refusal before anything is sent.
   */
  open(request: StreamRequest, response: ServerResponse, sendHead: () => void): Promise<void>
  /**
   * Sends an event that is no ledger entry to a user's devices that listen on this server. The event has no id and is not
   * sent again after a reconnect. If clients must not miss it, they need a separate call to poll.
   */
  publishToAccount(userId: string, event: { readonly name: string; readonly data: unknown }): void
  /** This server committed something. */
  wake(): void
  /** Ends all streams, whose clients reconnect in a moment, and refuses new ones. */
  drain(): void
}

/** All streams of this server: the public channels, and each user's own. */
export function createStreams(deps: StreamDependencies): Streams {
  const { store, onError, times = STREAM_TIMES, limits = STREAM_LIMITS } = deps
  const streams = new OpenStreams()
  const channels = createStateChannels({ sources: deps.channels, times, onError })
  const feed = createLedgerFeed({ store, times, onError })
  const beats = repeat({
    run: async () => streams.beat(performance.now()),
    everyMs: times.beatMs,
    onError: (error) => onError(error, 'stream'),
  })
  const sessionChecks = repeat({
    run: () => streams.endSignedOut(deps.openSessions),
    everyMs: times.sessionCheckMs,
    onError: (error) => onError(error, 'sessions of streams'),
  })
  let isDraining = false
  const shared: SharedByStreams = {
    limiter: new ConnectionLimiter(limits),
    streams,
    channels,
    feed,
    beginningOf: (position) => findBeginning(store, position),
    isDraining: () => isDraining,
  }
  return {
    get count() {
      return streams.size
    },
    get lagMs() {
      return feed.lagMs
    },
    async open(request, response, sendHead) {
      beats.start()
      sessionChecks.start()
      await openStream(shared, request, response, sendHead)
    },
    publishToAccount(userId, { name, data }) {
      feed.publish(userId, eventFrame(name, JSON.stringify(data)))
    },
    wake: feed.wake,
    drain() {
      isDraining = true
      void beats.stop()
      void sessionChecks.stop()
      channels.stop()
      feed.stop()
      streams.drain()
    },
  }
}

/** The dependencies that all streams share. */
interface SharedByStreams {
  readonly limiter: ConnectionLimiter
  readonly streams: OpenStreams
  readonly channels: StateChannels
  readonly feed: LedgerFeed
  readonly beginningOf: (position: {
    userId: string
    tip: bigint
    lastEventId: bigint | undefined
  }) => Promise<Beginning>
  readonly isDraining: () => boolean
}

async function openStream(
  { limiter, streams, channels, feed, beginningOf, isDraining }: SharedByStreams,
  { channels: names, address, user, lastEventId }: StreamRequest,
  response: ServerResponse,
  sendHead: () => void,
): Promise<void> {
  if (isDraining()) throw refusal('not_ready')
  const account = names.includes('account') ? user : undefined
  if (names.includes('account') && !account) throw refusal('sign_in_again')
  const { socket } = response
  // The response waits behind another one of the same connection.
  if (!socket) throw invalidField('connection', 'a stream needs one of its own')
  const publicNames = names.filter((name): name is PublicChannel => name !== 'account').toSorted()
  const listener = new Listener(socket, publicNames, channels.newest)
  const release = limiter.acquire({ address, user: account }, () => endForReconnect(listener))
  const stream: OpenStream = { listener, session: account?.tokenHash }
  const follower = new AccountFollower(listener, endForReconnect)
  const leave = () => {
    streams.delete(stream)
    channels.leave(listener)
    if (account) feed.leave(account.id, follower)
    release()
  }
  socket.once('close', leave)
  try {
    const tip = account && (await feed.follow(account.id, follower))
    const values = await channels.read(publicNames)
    const beginning =
      account && tip !== undefined ? await beginningOf({ userId: account.id, tip, lastEventId }) : undefined
    if (isDraining()) throw refusal('not_ready')
    sendHead()
    listener.begin()
    streams.add(stream)
    // The client disconnected before there was a stream to end.
    if (socket.destroyed) return leave()
    // The id says that everything up to it was sent: missed entries carry their own ids.
    const readyId = beginning?.missed.length === 0 ? beginning.seq : undefined
    listener.sendEvent(eventFrame('ready', JSON.stringify({ channels: names }), readyId))
    if (beginning) follower.begin(beginning)
    channels.join(listener, values)
  } catch (error) {
    socket.off('close', leave)
    leave()
    throw error
  }
}
