import { verifyLines } from '@clearwell/verify/verify-lines'
import type { Batch, StoredCursor } from './bookkeeper.ts'
import type { LedgerHead, LedgerLine } from './ledger-lines.ts'

const FORMAT = 'clearwell batch 1'
const TIMEOUT_MS = 60_000
const MAX_REASON = 4_000

/**
 * Asks a server for the part of the ledger after what is stored.
 *
 * @throws Error if it does not respond, or if a line of its response is missing or changed.
 */
export async function pullBatch(
  { serverUrl, token }: { readonly serverUrl: string; readonly token: string },
  { entry, header, change, signed, line }: StoredCursor,
): Promise<Batch> {
  const query = new URLSearchParams({
    ...{ entry: `${entry}`, header: `${header}`, change },
    ...{ signed: `${signed}`, line: `${line}` },
  })
  const response = await fetch(`${serverUrl}/internal/ledger?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status === 410) throw new Error(await readReason(response))
  if (!response.ok) throw new Error(`the server responds with ${response.status}: is the token the same?`)
  return readBatch(await response.text())
}

/** Reads why the server no longer has the entries. It may say anything, so the text is cut, and has no control characters. */
async function readReason(response: Response): Promise<string> {
  const text = (await response.text()).slice(0, MAX_REASON).replaceAll(/\p{Cc}/gu, ' ')
  return `the server no longer has the next entries: ${text}`
}

/** Reads the lines of a response. @throws Error that names the first fault */
export async function readBatch(text: string): Promise<Batch> {
  const lines: LedgerLine[] = []
  let head: LedgerHead | undefined
  let change: string | undefined
  const verdict = await verifyLines(text.split('\n').slice(0, -1), {
    line(value, number) {
      if (change !== undefined) throw new Error('there is a line after the end')
      if (number === 1) {
        if (value.format !== FORMAT) throw new Error(`the format is ${value.format}, not ${FORMAT}`)
        const { chainId, vault, operator, tokens, depth } = value
        head = { chainId, vault, operator, tokens, depth }
      } else if (value.end === number - 1) change = value.change
      else if (value.account || value.entry || value.header || value.signed || value.rows) lines.push(value)
      else throw new Error('the line has no known kind, or lines are missing')
    },
    end() {
      if (change === undefined) throw new Error('the end is missing')
    },
    counts: {},
  })
  if (!verdict.valid) throw new Error(`line ${verdict.line} of the response: ${verdict.fault}`)
  return { head: head as unknown as LedgerHead, lines, change: change as unknown as string }
}
