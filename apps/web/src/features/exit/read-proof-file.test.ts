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

/** A server that proves the account in the header `number`. Returns the paths that were asked for. */
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

test('the proof is followed by its header and those since', async () => {
  const asked = serve('1000')
  expect(await (await readProofFile()).text()).toBe('{"leaf":1}\n{"hash":"0x1"}\n')
  expect(asked).toEqual(['/api/proof/mine', '/api/proof/export.jsonl', '/api/proof/headers.jsonl?from=1000'])
})

test('a proof that broke off is no file', async () => {
  serve('12', true)
  await expect(readProofFile()).rejects.toThrow('broke off')
})
