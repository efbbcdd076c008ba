import { makeExitKit } from '@clearwell/exit-kit/build.ts'
import type { Plugin } from 'vite'

/** Its path beside the app. The server gives it another policy than the app's pages: it connects to the node that a user chooses. */
const FILE = 'exit-kit.html'

/** Hands out the exit kit, so that users can save it while all is well. */
export function exitKit(): Plugin {
  return {
    name: 'clearwell-exit-kit',
    // Not into the bundle that the build runs to draw the first paint.
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: await makeExitKit() })
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (request.url?.split('?')[0] !== `/${FILE}`) return next()
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(await makeExitKit())
      })
    },
  }
}
