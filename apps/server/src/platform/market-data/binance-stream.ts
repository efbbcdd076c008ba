import { Backoff, type BackoffRules } from '../time/backoff.ts'

/** Longer than any message of a ticker; longer ones are dropped unread. */
const MAX_MESSAGE_LENGTH = 65_536

export interface StreamRules extends BackoffRules {
  /** A connection that is not open by then is given up. */
  readonly connectTimeoutMs: number
  /** A connection without a useful message for so long is dead, even if it looks open. */
  readonly silentAfterMs: number
}

export interface MarketStream {
  /** The open connection has delivered a useful message lately. */
  readonly isDelivering: boolean
  stop(): void
}

export interface StreamOptions {
  readonly url: string
  readonly random: () => number
  readonly rules: StreamRules
  /** How long the exchange wants to be left alone. */
  readonly pauseLeftMs: () => number
  /** Gets each message. @returns whether it was useful: useless messages alone count as silence. Must not throw. */
  readonly onText: (text: string) => boolean
  /** Gets the reason why a connection was given up. */
  readonly onFault: (why: string) => void
}

/**
 * Keeps one WebSocket open to the exchange's stream and forwards its messages. The platform responds to pings. A
 * connection that closes, fails or falls silent is replaced after a pause that doubles. Only a useful message resets the
 * pause: otherwise a server that accepts and closes would be asked without end.
 */
export function openMarketStream({ url, random, rules, pauseLeftMs, onText, onFault }: StreamOptions): MarketStream {
  const backoff = new Backoff(rules, random)
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let isDelivering = false
  let isStopped = false

  function connect(): void {
    const opened = new WebSocket(url)
    socket = opened
    giveUpAfter(rules.connectTimeoutMs, 'no connection in time')
    listenTo(opened, {
      isCurrent: () => socket === opened,
      onOpen: () => giveUpAfter(rules.silentAfterMs, 'silence'),
      onMessage(text) {
        if (!onText(text)) return
        giveUpAfter(rules.silentAfterMs, 'silence')
        backoff.reset()
        isDelivering = true
      },
      onEnd: giveUp,
    })
  }

  function giveUpAfter(ms: number, why: string): void {
    clearTimeout(timer)
    timer = setTimeout(() => giveUp(why), ms)
  }

  function giveUp(why: string): void {
    clearTimeout(timer)
    const given = socket
    socket = undefined
    isDelivering = false
    given?.close()
    timer = setTimeout(reconnect, backoff.nextMs())
    onFault(why)
  }

  function reconnect(): void {
    const leftMs = pauseLeftMs()
    // In steps: the pause may become longer meanwhile, and the clock may be moved.
    if (leftMs > 0) timer = setTimeout(reconnect, Math.min(leftMs, rules.maxBackoffMs))
    else if (!isStopped) connect()
  }

  connect()
  return {
    get isDelivering() {
      return isDelivering
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      const last = socket
      socket = undefined
      last?.close()
    },
  }
}

/** Events of an earlier connection are ignored. */
function listenTo(
  socket: WebSocket,
  {
    isCurrent,
    onOpen,
    onMessage,
    onEnd,
  }: {
    isCurrent: () => boolean
    onOpen: () => void
    onMessage: (text: string) => void
    onEnd: (why: string) => void
  },
): void {
  socket.addEventListener('open', () => {
    if (isCurrent()) onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    if (isCurrent() && typeof data === 'string' && data.length <= MAX_MESSAGE_LENGTH) onMessage(data)
  })
  socket.addEventListener('close', () => {
    if (isCurrent()) onEnd('it was closed')
  })
  socket.addEventListener('error', () => {
    if (isCurrent()) onEnd('it failed')
  })
}
