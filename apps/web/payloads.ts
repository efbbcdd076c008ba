import type { Plugin } from 'vite'
import { readPayloads } from './content/read-payloads.ts'
import { payloadPath } from './src/content/payload-path.ts'

/**
 * Writes the static content of every screen (the folder `content`) as `_payload.json` files beside the app, and serves
 * the same paths in development. Content that is not as it should be fails the build.
 */
export function payloads(): Plugin {
  return {
    name: 'clearwell-payloads',
    // Not into what the build itself runs to draw the first paint.
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle() {
      for (const payload of readPayloads()) {
        const fileName = payloadPath(payload.route, payload.locale).slice(1)
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(payload) })
      }
    },
    configureServer(server) {
      // Read again for each request, so that a saved change shows on the next reload.
      server.middlewares.use((request, response, next) => {
        const path = request.url?.split('?')[0]
        if (!path?.endsWith('/_payload.json')) return next()
        const payload = readPayloads().find(({ route, locale }) => payloadPath(route, locale) === path)
        response.statusCode = payload ? 200 : 404
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(payload ?? null))
      })
    },
  }
}
