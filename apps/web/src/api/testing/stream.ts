/** One request for a stream, and the test's response to it. */
export class FakeConnection {
  readonly query: URLSearchParams
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  readonly response: Promise<Response>
  #respond!: (response: Response) => void
  #fail!: (error: Error) => void
  #body: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) {
    this.query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
    this.headers = headers
    this.signal = signal
    this.response = new Promise((resolve, reject) => {
      this.#respond = resolve
      this.#fail = reject
    })
    signal.addEventListener('abort', () => this.break())
  }

  /** The stream begins, with the first event as the server sends it. */
  begin({ id }: { id?: string } = {}): void {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#body = controller
      },
    })
    this.#respond(new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }))
    this.say(`${id === undefined ? '' : `id: ${id}\n`}event: ready\ndata: {"channels":[]}\n\n`)
  }

  say(text: string): void {
    this.#body?.enqueue(new TextEncoder().encode(text))
  }

  tell(event: string, data: unknown, id?: string): void {
    this.say(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** The server ends it. */
  end(): void {
    this.#body?.close()
  }

  /** The network breaks. */
  break(): void {
    const error = new TypeError('network error')
    this.#fail(error)
    try {
      this.#body?.error(error)
    } catch {
      // It had ended already.
    }
  }

  refuse(code: number, headers: Record<string, string> = {}): void {
    this.#respond(Response.json({ code, msg: '', data: {} }, { headers }))
  }
}
