import { createTransport, HttpRequestError, RpcError, type Transport } from 'viem'
import { isNodeAway, NodeError } from './node-error.ts'

// The limits of the specification (docs/reference/specification.md, section 9).
const TIMEOUT_MS = 10_000
export const RETRIES = 3
/** The first delay; each later one is twice as long. */
export const RETRY_DELAY_MS = 150
const MAX_BATCH = 1_000

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
/** Every node that accepts batches accepts this many requests, so a slow or long response has another cause. */
const MODEST_BATCH = 50

export const NODE_OUTCOMES = ['ok', 'error', 'timeout', 'unreachable'] as const

/** Receives the outcome of each HTTP request to a node, and its time in seconds. */
export type ObserveNode = (outcome: (typeof NODE_OUTCOMES)[number], seconds: number) => void

export interface NodeOptions {
  /** How often a request without a response is sent again. */
  readonly retries?: number
  readonly observe?: ObserveNode
  /**
   * True where another node is asked next. All concurrent requests then fail if one of them got no response, so that none is
   * answered by this node and another one by the next: two nodes may be at different heights.
   */
  readonly failsTogether?: boolean
}

interface Question {
  readonly method: string
  readonly params: unknown
}

interface Waiting extends Question {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly result: unknown } | { readonly error: NodeError }

/**
 * JSON-RPC over HTTP. Concurrent requests are sent as one batch, so that one node serves all of them even if many share an
 * address. For a node that accepts no batches, or only short ones, the batch size is adapted.
 *
 * viem's own `http` transport is not used: see docs/decisions/0018-own-code-kept.md.
 */
export function nodeTransport(
  rpcUrl: string,
  { retries = RETRIES, observe, failsTogether = false }: NodeOptions = {},
): Transport {
  const ask = sender(rpcUrl)
  const send = observe ? observed(ask, observe) : ask
  let batchLimit = MAX_BATCH
  let waiting: Waiting[] = []

  async function flush(): Promise<void> {
    const all = waiting
    waiting = []
    const outcomes: Outcome[] = []
    while (outcomes.length < all.length) {
      const piece = all.slice(outcomes.length, outcomes.length + batchLimit)
      const found = await outcomesOf(piece)
      if (!failsTogether) settle(piece, found)
      outcomes.push(...found)
    }
    if (!failsTogether) return
    const away = outcomes.find((each) => 'error' in each && isNodeAway(each.error))
    settle(all, away ? all.map(() => away) : outcomes)
  }

  function settle(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
    batch.forEach((question, index) => {
      const outcome = outcomes[index] as Outcome
      if ('error' in outcome) question.reject(forViem(outcome.error))
      else question.resolve(outcome.result)
    })
  }

  async function outcomesOf(batch: readonly Question[]): Promise<readonly Outcome[]> {
    const outcomes = await send(batch)
    const refusal = refusalOfAll(outcomes)
    if (refusal && batch.length > 1) {
      const isLarge = batch.length > MODEST_BATCH
      if (isBatchRefused(refusal)) batchLimit = Math.max(1, Math.floor(batch.length / 2))
      else if (isLarge && (refusal.isTooLong || refusal.isTimeout))
        batchLimit = Math.max(MODEST_BATCH, Math.floor(batch.length / 2))
      // After a timeout viem retries, then in smaller batches: waiting twice for an unreachable node would take too long.
      if (isBatchRefused(refusal) || (isLarge && refusal.isTooLong)) {
        const found: Outcome[] = []
        while (found.length < batch.length)
          found.push(...(await outcomesOf(batch.slice(found.length, found.length + batchLimit))))
        return found
      }
    }
    return outcomes
  }

  const request = ({ method, params }: Question) =>
    new Promise<unknown>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void flush())
      waiting.push({ method, params, resolve, reject })
    })
  return () =>
    createTransport({
      key: 'node',
      name: 'JSON-RPC over HTTP',
      type: 'node',
      retryCount: retries,
      retryDelay: RETRY_DELAY_MS,
      request: request as never,
    })
}

/**
 * Converts the error to the form by which viem decides on a retry: an HTTP status with its `Retry-After`, or a JSON-RPC
 * code. Without either there was no response, and viem retries. The address is never included.
 */
function forViem(error: NodeError): Error {
  const { status, code, retryAfter, message } = error
  if (status !== undefined) {
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
    return new HttpRequestError({ cause: error, details: message, headers, status, url: 'the node' })
  }
  return code === undefined ? error : new RpcError(error, { code, name: 'NodeRpcError', shortMessage: message })
}

/** The error that ended the whole batch instead of one response per request. */
function refusalOfAll(outcomes: readonly Outcome[]): NodeError | undefined {
  const [first] = outcomes
  return first && 'error' in first && outcomes.every((each) => each === first) ? first.error : undefined
}

type Send = (questions: readonly Question[]) => Promise<readonly Outcome[]>

function observed(send: Send, observe: ObserveNode): Send {
  return async (questions) => {
    const startedMs = performance.now()
    const outcomes = await send(questions)
    const failed = outcomes.find((each) => 'error' in each)
    observe(failed ? outcomeName(failed.error) : 'ok', (performance.now() - startedMs) / 1000)
    return outcomes
  }
}

function outcomeName({ isTimeout, isNoResponse }: NodeError): 'error' | 'timeout' | 'unreachable' {
  if (isTimeout) return 'timeout'
  return isNoResponse ? 'unreachable' : 'error'
}

/** Sends a batch in one HTTP request and returns an outcome for each of its requests; never throws. */
function sender(rpcUrl: string): Send {
  const url = new URL(rpcUrl)
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (url.username || url.password) {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(login).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  let lastId = 0
  return async (questions) => {
    const asked = questions.map(({ method, params }) => ({ jsonrpc: '2.0', id: ++lastId, method, params }))
    const forAll = (error: NodeError): Outcome[] => {
      const outcome = { error }
      return asked.map(() => outcome)
    }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(asked.length === 1 ? asked[0] : asked),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // A redirect could send the requests, and the key in the address, to another host.
        redirect: 'error',
      })
      const status = response.ok ? undefined : response.status
      const retryAfter = response.headers.get('retry-after') ?? undefined
      const body = parseJson(await readText(response))
      const http = { status, retryAfter }
      if (asked.length > 1 && Array.isArray(body)) return asked.map(({ id }) => outcomeOf(body, id, http))
      if (asked.length > 1 || status !== undefined) return forAll(errorOf(body, http))
      return [outcomeOf([body], (asked[0] as { id: number }).id, http)]
    } catch (error) {
      if (error instanceof NodeError) return forAll(error)
      const isTimeout = (error as Error).name === 'TimeoutError'
      const code = ((error as Error).cause as { code?: unknown } | undefined)?.code
      const why = isTimeout
        ? `in ${TIMEOUT_MS / 1000} seconds`
        : `(${typeof code === 'string' ? code : 'no connection'})`
      return forAll(new NodeError(`the node did not answer ${why}`, { isTimeout, isNoResponse: !isTimeout }))
    }
  }
}

/** Finds the response with this id. Two of them, or none, is an error. */
function outcomeOf(responses: readonly unknown[], id: number, http: HttpFailure): Outcome {
  const own = responses.filter((each) => isObject(each) && each.id === id) as Record<string, unknown>[]
  const [response] = own
  if (own.length === 1 && response && response.error === undefined && response.result !== undefined) {
    return { result: response.result }
  }
  // An error without an id concerns the whole batch.
  const failed = own.length === 1 ? response : responses.find((each) => isObject(each) && each.id == null)
  return { error: errorOf(failed, http) }
}

/** The HTTP part of a response that was not 200. */
type HttpFailure = Pick<NodeError, 'status' | 'retryAfter'>

function errorOf(response: unknown, http: HttpFailure): NodeError {
  const error = isObject(response) ? response.error : undefined
  const how = http.status === undefined ? '' : ` with HTTP status ${http.status}`
  if (!isObject(error))
    return new NodeError(
      how ? `the node responded${how}` : 'the node responded with something that is no JSON-RPC',
      http,
    )
  const code = typeof error.code === 'number' ? error.code : undefined
  const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data)}`
  const message = withoutAddresses(`${String(error.message)}${data}`).slice(0, 500)
  return new NodeError(`the node responded${how}: ${message}${code === undefined ? '' : ` (${code})`}`, {
    ...http,
    code,
    data: refusalData(error.data),
  })
}

/** An error of a contract is some words long. Nodes put it into `data`, or one level deeper. */
function refusalData(data: unknown): `0x${string}` | undefined {
  const text = isObject(data) ? data.data : data
  return typeof text === 'string' && /^0x([0-9a-f]{2}){4,500}$/i.test(text) ? (text as `0x${string}`) : undefined
}

/** Removes addresses: nodes often repeat the requested URL, which may hold a key. */
function withoutAddresses(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/\S+/gi, '…')
}

function isBatchRefused({ code, status, message }: NodeError): boolean {
  return code === -32600 || status === 400 || /batch/i.test(message) || message.endsWith('no JSON-RPC')
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_RESPONSE_BYTES) {
      throw new NodeError(`the node's answer is longer than ${MAX_RESPONSE_BYTES} bytes`, { isTooLong: true })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
