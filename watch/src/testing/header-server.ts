import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server whose headers and statements the test decides. */
export async function startHeaderServer() {
  const state = {
    lines: [] as string[],
    statements: {} as Record<string, unknown>,
    refusals: [] as unknown[],
    data: [] as string[],
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body)
    if (pathname === '/api/proof/headers.jsonl' || pathname === '/api/proof/data.jsonl') {
      const from = BigInt(searchParams.get('from') ?? '0')
      const all = pathname.endsWith('data.jsonl') ? state.data : state.lines
      const lines = all.filter((line) => (numberOf(line) ?? from) >= from)
      return send(200, 'application/jsonl; charset=utf-8', lines.map((line) => `${line}\n`).join(''))
    }
    if (pathname === '/refusals') return send(200, 'application/json', JSON.stringify({ refusals: state.refusals }))
    const statement = state.statements[pathname.replace('/headers/', '')]
    return send(statement ? 200 : 404, 'application/json', JSON.stringify(statement ?? { waiting: null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    state,
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** @returns `undefined` for a line that is no header: it is always sent */
function numberOf(line: string): bigint | undefined {
  const [, number] = /"number":"(\d+)"/.exec(line) ?? []
  return number === undefined ? undefined : BigInt(number)
}
