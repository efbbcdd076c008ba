import { type Hex, recoverAddress, recoverMessageAddress } from 'viem'

const REQUEST_MS = 30_000
/** A header of 16 assets has about 12 kB. */
const LINE_CHARS = 65_536
/** A block of 100,000 changed leaves. */
const BLOCK_CHARS = 8_000_000
const STATEMENTS_BYTES = 4_000_000

/**
 * Reads header lines of a server, oldest first.
 *
 * @param url of the file, such as `https://example.org/api/proof/headers.jsonl`
 * @param from the first number
 * @param most lines; the rest is for the next call
 * @throws Error if the server does not respond with a file
 */
export function readHeaderLines(url: string, from: bigint, most: number): Promise<string[]> {
  return readFileLines(url, { from, most, chars: LINE_CHARS })
}

/** A block of encrypted proof data, one for each header. */
export interface DataBlock {
  readonly number: bigint
  /** Base64. */
  readonly block: string
}

/** Reads blocks of proof data, oldest first. @throws Error as {@link readHeaderLines}, or for a malformed block */
export async function readDataLines(url: string, from: bigint, most: number): Promise<DataBlock[]> {
  const lines = await readFileLines(url, { from, most, chars: BLOCK_CHARS })
  return lines.map((line) => {
    const { number, block } = JSON.parse(line)
    if (!/^\d{1,18}$/.test(number) || typeof block !== 'string') throw new Error(`${url} sent a malformed block`)
    return { number: BigInt(number), block }
  })
}

async function readFileLines(
  url: string,
  { from, most, chars }: { readonly from: bigint; readonly most: number; readonly chars: number },
): Promise<string[]> {
  const stopping = new AbortController()
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(REQUEST_MS)])
  const response = await fetch(`${url}?from=${from}`, { signal })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !response.body || /^application\/json\b/.test(type)) {
    stopping.abort()
    throw new Error(`${url} responded ${response.status} without a file`)
  }
  const lines: string[] = []
  try {
    for await (const line of linesOf(response.body, url, chars)) {
      lines.push(line)
      if (lines.length === most) break
    }
  } finally {
    stopping.abort()
  }
  return lines
}

/** Splits a body into its whole lines. One that broke off has no end, and is left. */
async function* linesOf(body: ReadableStream<Uint8Array>, url: string, chars: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > chars) throw new Error(`${url} sent a line of over ${chars} characters`)
    yield* lines
  }
}

/** A bookkeeper's word about a header. */
export interface Statement {
  readonly number: string
  readonly hash: Hex
  readonly signature?: Hex
  readonly refusal?: { readonly reason: string; readonly signature: Hex }
}

/** Reads a bookkeeper's statement about a number. @returns `undefined` if it has none. */
export async function readStatement(url: string, number: bigint): Promise<Statement | undefined> {
  const response = await fetch(`${url}/headers/${number}`, { signal: AbortSignal.timeout(REQUEST_MS) })
  const text = await readText(response)
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
  return JSON.parse(text)
}

/** Reads all refusals of a bookkeeper. */
export async function readRefusals(url: string): Promise<Statement[]> {
  const response = await fetch(`${url}/refusals`, { signal: AbortSignal.timeout(REQUEST_MS) })
  const text = await readText(response)
  if (!response.ok) throw new Error(`${url} responded ${response.status}`)
  return JSON.parse(text).refusals
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > STATEMENTS_BYTES) throw new Error(`${response.url} sent over ${STATEMENTS_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Recovers the signer of a statement: EIP-712 over the header's hash, or EIP-191 over the text of a refusal. */
export async function signerOf({ number, hash, signature, refusal }: Statement): Promise<string | undefined> {
  if (!refusal) return recoverSigner(hash, signature)
  const message = `Clearwell bookkeeper refuses header ${number} ${hash}: ${refusal.reason}`
  return recoverMessageAddress({ message, signature: refusal.signature }).catch(() => undefined)
}

/** @returns `undefined` for a malformed signature */
export async function recoverSigner(hash: Hex, signature: Hex | undefined): Promise<string | undefined> {
  return signature && recoverAddress({ hash, signature }).catch(() => undefined)
}
