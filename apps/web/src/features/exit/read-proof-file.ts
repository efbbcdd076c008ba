import { NoResponseError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { download } from '../../api/download.ts'

/** The name of the saved file. */
export const PROOF_FILE = 'clearwell-exit-proof.jsonl'

/**
 * Reads all that the exit kit needs of this server, as one file: the account's entries with its paths in a header, then that header and those
 * since. A browser may stop a second file of one press.
 *
 * @throws ApiError when the server refuses: `not_found` without a header that paths are given out for.
 * @throws NoResponseError when a file broke off.
 */
export async function readProofFile(): Promise<Blob> {
  const { number } = await call('proofMine', {})
  const proof = await readText(download('proofExport', {}))
  const headers = await readText(download('proofHeaders', { from: Number(number) }))
  return new Blob([withLineEnd(proof), withLineEnd(headers)], { type: 'application/x-ndjson' })
}

async function readText(file: ReturnType<typeof download>): Promise<string> {
  const { response } = await file
  return response.text().catch((cause: unknown) => {
    throw new NoResponseError('the file broke off', { cause })
  })
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
