import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import type { Build } from './name-build.ts'

/** The path of the worker. Its scope is the folder that it lies in, so it lies at the root. */
export const WORKER = 'worker.js'
/** The pages of the app, which the server has at these paths. */
const PAGES = ['/', '/en']

/** Bundles src/worker into one script. It needs `shellOf` in front. */
export async function bundleWorker(web: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    root: web,
    publicDir: false,
    // Workbox explains itself in the console otherwise.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(web, 'src/worker/worker.ts'), formats: ['iife'], name: 'worker' },
    },
  })) as Rolldown.RolldownOutput[]
  const [chunk] = built.flatMap(({ output }) => output).filter((each) => each.type === 'chunk')
  if (!chunk) throw new Error('src/worker/worker.ts became no script')
  return chunk.code.trim()
}

/**
 * The build and the files that the worker keeps: all code but that of WalletConnect, which is a sixth of it and of no use without the
 * network. Names of assets carry the hash of their content, pages need the build's.
 */
export function shellOf({ id, assets }: Pick<Build, 'id' | 'assets'>, bundle: Rolldown.OutputBundle): string {
  const left = new Set(
    Object.values(bundle).flatMap((each) =>
      each.type === 'chunk' && each.moduleIds.some((module) => module.includes('/@walletconnect/'))
        ? [each.fileName]
        : [],
    ),
  )
  const kept = assets.filter((path) => !left.has(path))
  const files = [
    ...PAGES.map((url) => ({ url, revision: id })),
    ...kept.map((path) => ({ url: `/${path}`, revision: null })),
  ]
  return `const SHELL=${JSON.stringify({ build: id, files })};`
}

/** Serves the worker in development, where it keeps no files. */
export function serveWorker(web: string): Plugin {
  return {
    name: 'clearwell-worker',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (request.url !== `/${WORKER}`) return next()
        const code = await bundleWorker(web)
        response.setHeader('content-type', 'text/javascript')
        response.end(`const SHELL={build:'',files:[]};${code}`)
      })
    },
  }
}
