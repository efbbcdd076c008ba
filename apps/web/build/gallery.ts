import type { Plugin } from 'vite'

const PAGE = `<!doctype html>
<html lang="zh-HK" data-mode="dark">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Component gallery</title>
  </head>
  <body>
    <div id="app"></div>
    <!--icons-->
    <script type="module" src="/gallery/main.tsx"></script>
  </body>
</html>`

/** Serves the component gallery at `/gallery` in development. A production build does not contain it. */
export function gallery(): Plugin {
  return {
    name: 'clearwell-gallery',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        if (pathname !== '/gallery' && pathname !== '/gallery/') return next()
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(await server.transformIndexHtml('/gallery', PAGE))
      })
    },
  }
}
