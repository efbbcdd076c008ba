import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '../../config/config-error.ts'
import type { MetricsAddress } from '../../config/service-variables.ts'
import type { Metrics } from './metrics.ts'

const REQUEST_MS = 5_000

/**
 * Serves `GET /metrics` on a separate port, which is not for the public.
 *
 * @throws ConfigError if the operator has chosen a port that is taken. Otherwise a free port is used instead.
 */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text'>,
  { host, port, isChosen }: MetricsAddress,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    return metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  const listen = (chosen: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(chosen, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw new ConfigError(`METRICS_HOST ${host} cannot be listened on.`)
    if (isChosen) throw new ConfigError(`Port ${port} for the metrics is taken. Set METRICS_PORT to another port.`)
    return listen(0)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
