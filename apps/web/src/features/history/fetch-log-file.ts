import type { PayloadInput } from '@clearwell/api/routes'
import { NoAnswerError } from '../../api/api-error.ts'
import { download } from '../../api/download.ts'

export interface LogFile {
  readonly blob: Blob
  readonly fileName: string
}

const FALLBACK_NAME = 'clearwell-log.csv'

/**
 * Fetches the balance log as a file. It is written by the server as it is read, so how long it gets is not known
 * beforehand: `onProgress` hears how many bytes have come.
 *
 * @throws ApiError when the server refuses.
 * @throws NoAnswerError when no file came back, or it broke off: half a log is none.
 * @throws the signal's reason when it was given up.
 */
export async function fetchLogFile(
  query: PayloadInput<'logsCsv'>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<LogFile> {
  const { response, fileName = FALLBACK_NAME } = await download('logsCsv', query, { signal })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk)
      bytes += chunk.length
      onProgress(bytes)
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new NoAnswerError(`the file broke off after ${bytes} bytes`, { cause: error })
  }
  return { blob: new Blob(chunks, { type: response.headers.get('content-type') ?? 'text/csv' }), fileName }
}

/** A stream is not iterable everywhere yet: Safari lacks it. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!body) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
