/** Longer than any message of a ticker; what is longer is dropped unread. */
const MAX_MESSAGE_LENGTH = 65_536

export interface StreamRules {
  /** A connection that has not been made by then is given up. */
  readonly connectTimeoutMs: number
  /** A connection that has said nothing of use for so long is dead, whatever it looks like. */
  readonly silentAfterMs: number
  /** The wait after a first failure; it doubles with each that follows, up to the most. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
}

export interface MarketStream {
  /** A message of use came lately, on the connection that is open. */
  readonly isDelivering: boolean
  stop(): void
}

/**
 * Keeps one WebSocket open to the exchange's stream and hands on what it says. Pings are answered by the platform. A
 * connection that closes, cannot be made, or falls silent is replaced by a new one, after a pause that doubles and is never
 * the same for two servers; the pause starts anew only once a message was of use, or a server that accepts and closes at
 * once would be asked without end.
 *
 * @param options.pauseLeftMs how long the exchange wants to be left alone.
 * @param options.onText told each message; answers whether it was of use: nothing but useless ones is silence. It must not
 * throw.
 * @param options.onFault told why a connection was given up.
 */
export function openMarketStream({
  url,
  random,
  rules,
  pauseLeftMs,
  onText,
  onFault,
}: {
  url: string
  random: () => number
  rules: StreamRules
  pauseLeftMs: () => number
  onText: (text: string) => boolean
  onFault: (why: string) => void
}): MarketStream {
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isDelivering = false
  let isStopped = false

  function connect(): void {
    const opened = new WebSocket(url)
    socket = opened
    giveUpAfter(rules.connectTimeoutMs, 'no connection in time')
    // What an earlier connection still says is not heard.
    const ifCurrent =
      <Event>(handle: (event: Event) => void) =>
      (event: Event) => {
        if (socket === opened) handle(event)
      }
    opened.addEventListener(
      'open',
      ifCurrent(() => giveUpAfter(rules.silentAfterMs, 'silence')),
    )
    opened.addEventListener(
      'message',
      ifCurrent(({ data }: MessageEvent) => {
        if (typeof data !== 'string' || data.length > MAX_MESSAGE_LENGTH || !onText(data)) return
        giveUpAfter(rules.silentAfterMs, 'silence')
        failures = 0
        isDelivering = true
      }),
    )
    opened.addEventListener(
      'close',
      ifCurrent(() => giveUp('it was closed')),
    )
    opened.addEventListener(
      'error',
      ifCurrent(() => giveUp('it failed')),
    )
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
    const waitMs = Math.min(rules.maxBackoffMs, rules.backoffMs * 2 ** failures) * (0.5 + random() / 2)
    failures = Math.min(failures + 1, 30)
    timer = setTimeout(reconnect, waitMs)
    onFault(why)
  }

  function reconnect(): void {
    const leftMs = pauseLeftMs()
    // In steps: it may be told to wait longer meanwhile, and the clock may be moved.
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
