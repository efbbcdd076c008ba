export interface ServerEvent {
  /** `message` for an event without a name, as in the standard. */
  readonly event: string
  readonly data: string
}

/** The most characters of an unfinished event: none of ours is nearly that long. */
const MAX_UNFINISHED = 1_000_000

interface ParserHandlers {
  onEvent(event: ServerEvent): void
  /** The id of the last event, from which a reconnect resumes. */
  onId(id: string): void
  onRetry(ms: number): void
}

/** Parses server-sent events from text in pieces of any size. @returns a function that takes the next piece. */
export function createEventParser({ onEvent, onId, onRetry }: ParserHandlers): (piece: string) => void {
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
    // After the event, so that an event that could not be applied is requested again.
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
