import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveSession } from '../../api/session-store.ts'
import { fetchLogFile, formatBytes } from './log-export.tsx'

/** The server's response, and the requests it received. */
let respond: () => Response | Promise<Response>
const requests: { url: string; headers: Record<string, string> }[] = []

beforeEach(() => {
  saveSession({ token: 'token', user: { address: '0x1' } as never })
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    requests.push({ url, headers })
    return respond()
  })
  requests.length = 0
})
afterEach(() => vi.unstubAllGlobals())

const running = () => new AbortController().signal
const noProgress = () => {}

test("downloads a file under the server's name and reports progress", async () => {
  respond = () => fileOf(['id,kind\n', '1,swap\n'])
  const progress: number[] = []
  const { blob, fileName } = await fetchLogFile(
    { asset: 'USDT', from: '2026-03-01T00:00:00.000Z' },
    { signal: running(), onProgress: (bytes) => progress.push(bytes) },
  )
  expect(fileName).toBe('餘額明細.csv')
  await expect(blob.text()).resolves.toBe('id,kind\n1,swap\n')
  expect(progress).toEqual([8, 15])
  expect(requests[0]?.url).toBe('/api/Wallet/logs.csv?asset=USDT&from=2026-03-01T00%3A00%3A00.000Z')
  expect(requests[0]?.headers).toMatchObject({ 'XX-Device-Type': 'web', 'Accept-Language': 'zh-HK' })
})

test('accepts an empty file', async () => {
  respond = () => fileOf([])
  const { blob } = await fetchLogFile({}, { signal: running(), onProgress: noProgress })
  expect(blob.size).toBe(0)
})

test("keeps the server's message of a refusal", async () => {
  respond = () => Response.json({ code: 42900, msg: 'Too many requests', data: null }, { status: 429 })
  await expect(fetchLogFile({}, { signal: running(), onProgress: noProgress })).rejects.toMatchObject({
    name: 'ApiError',
    message: 'Too many requests',
  })
})

test('reports no response without a connection', async () => {
  respond = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(fetchLogFile({}, { signal: running(), onProgress: noProgress })).rejects.toMatchObject({
    name: 'NoResponseError',
  })
})

test('rejects an incomplete file', async () => {
  respond = () => fileOf(['id,kind\n'], new TypeError('network error'))
  await expect(fetchLogFile({}, { signal: running(), onProgress: noProgress })).rejects.toMatchObject({
    name: 'NoResponseError',
  })
})

test('reports a cancelled download as cancelled', async () => {
  const giveUp = new AbortController()
  respond = () => fileOf(['id,kind\n'], new DOMException('gone', 'AbortError'))
  const fetching = fetchLogFile({}, { signal: giveUp.signal, onProgress: () => giveUp.abort() })
  await expect(fetching).rejects.toMatchObject({ name: 'AbortError' })
})

/** A file that comes in pieces and then ends, or fails. */
function fileOf(pieces: readonly string[], failure?: Error): Response {
  const left = pieces.map((piece) => new TextEncoder().encode(piece))
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift()
      if (next) controller.enqueue(next)
      else if (failure) controller.error(failure)
      else controller.close()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('餘額明細.csv')}`,
    },
  })
}

test('file sizes use kilobytes, then megabytes with one decimal', () => {
  expect([0, 1_400, 999_000, 1_250_000, 104_000_000].map(formatBytes)).toEqual([
    '0 kB',
    '1 kB',
    '999 kB',
    '1.3 MB',
    '104 MB',
  ])
})
