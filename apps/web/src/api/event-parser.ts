export interface ServerEvent {
  /** `message` where it has no name, as the standard has it. */
  readonly event: string
  readonly data: string
}

/** What a stream may leave unfinished: no event of ours is near that long. */
const MAX_UNFINISHED = 1_000_000

interface Told {
  onEvent(event: ServerEvent): void
  /** The id of the last event, to begin with after a reconnect. */
  onId(id: string): void
  onRetry(ms: number): void
}

/** Reads server-sent events out of text that comes in pieces of any size. @returns what takes the next piece. */
export function createEventParser({ onEvent, onId, onRetry }: Told): (piece: string) => void {
  let unfinished = ''
  let event = ''
  let data: string[] = []
  let id: string | undefined

  function take(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) onRetry(Number(value))
  }

  function finish(): void {
    if (data.length > 0) onEvent({ event: event || 'message', data: data.join('\n') })
    // After the event: one that could not be taken is asked for again.
    if (id !== undefined) onId(id)
    event = ''
    data = []
    id = undefined
  }

  return (piece) => {
    // A line may end with a carriage return whose line feed has not come yet.
    const text = unfinished + piece
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(/\r\n|\n|\r/)
    unfinished = (lines.pop() ?? '') + text.slice(end)
    for (const line of lines) {
      if (line === '') finish()
      else take(line)
    }
    if (unfinished.length > MAX_UNFINISHED) throw new RangeError('an event without end')
  }
}
