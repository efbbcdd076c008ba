import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionStore } from '../../api/session-store.ts'
import { readProofFile } from './read-proof-file.ts'

beforeEach(() => sessionStore.set({ token: 'token', user: undefined }))
afterEach(() => {
  sessionStore.set({ token: undefined, user: undefined })
  vi.unstubAllGlobals()
})

const file = (body: BodyInit) =>
  new Response(body, { headers: { 'content-disposition': 'attachment; filename="a.jsonl"' } })

/** A server whose newest header is `number`. Returns the paths that were asked for. */
function serve(number: string, breaksOff = false): string[] {
  const asked: string[] = []
  const broken = () => file(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) }))
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    if (url.startsWith('/api/proof/export.jsonl')) return breaksOff ? broken() : file('{"leaf":1}')
    if (url.startsWith('/api/proof/headers.jsonl')) return file('{"hash":"0x1"}\n')
    return Response.json({ code: 1, msg: 'ok', data: { number } })
  })
  return asked
}

test.each([
  ['1000', '760'],
  ['12', '1'],
])('the proof is followed by the headers before header %s', async (newest, first) => {
  const asked = serve(newest)
  expect(await (await readProofFile()).text()).toBe('{"leaf":1}\n{"hash":"0x1"}\n')
  expect(asked).toEqual(['/api/proof/header', '/api/proof/export.jsonl', `/api/proof/headers.jsonl?from=${first}`])
})

test('a proof that broke off is no file', async () => {
  serve('12', true)
  await expect(readProofFile()).rejects.toThrow('broke off')
})
