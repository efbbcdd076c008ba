import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { exitKit } from './build/exit-kit.ts'
import { firstPaint } from './build/first-paint.ts'
import { gallery } from './build/gallery.ts'
import { serveWorker } from './build/worker.ts'
import { payloads } from './payloads.ts'

const web = import.meta.dirname
const api = { target: `http://127.0.0.1:${process.env.API_PORT ?? '3000'}`, changeOrigin: false }

/** The chunks that start.ts runs. */
const APP_CHUNKS = ['rolldown-runtime', 'react', 'router', 'routes']
const APP_CHUNK = new RegExp(`/(${APP_CHUNKS.join('|')})-[^/]+$`)

export default defineConfig({
  root: web,
  base: '/',
  plugins: [generated(), react(), tailwind(), firstPaint(web), serveWorker(web), payloads(), exitKit(), gallery()],
  // React has this hook since version 18, so the stand-in for older versions is not needed.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  build: {
    outDir: join(web, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // The app has loaded these before any part of it.
      resolveDependencies: (_part, chunks) => chunks.filter((chunk) => !APP_CHUNK.test(chunk)),
    },
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      output: {
        // Home carries the file names of all parts, so those are short.
        chunkFileNames: ({ name }) => (APP_CHUNKS.includes(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'),
        codeSplitting: {
          groups: [
            // Each of these runs in its own task. React changes seldom.
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\/|\/src\/boot\/react\.ts$/ },
            { name: 'router', test: /\/node_modules\/@tanstack\//, tags: ['$initial'], priority: 1 },
            // With main.tsx: two files would compress to 0.7 kB more.
            {
              name: 'routes',
              test: /\/src\/(routes\/|manifest\/|content\/live-figures\.ts$|main\.tsx$|features\.ts$)|\.screens\.ts$/,
              tags: ['$initial'],
            },
            // The words of all features load together, and so do their live figures.
            { name: 'words', test: /\.words\.ts$/ },
            { name: 'figures', test: /\.figures\.ts$/ },
            // Messages of at least two later parts: otherwise each is a file. Those of the proof card load with it.
            { name: 'texts', test: /\/generated\/messages\/(?!proof_)/, minShareCount: 2 },
            // Shared by nearly every screen: one chunk compresses better than twenty.
            { name: 'shared', minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': api, '/icons': api } },
  preview: { proxy: { '/api': api, '/icons': api } },
  test: {
    include: ['{src,gallery,build}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Files share processes, which saves most of their time, and the setup file gives each its own modules.
    isolate: false,
    setupFiles: ['../../packages/ui/src/testing/start-file.ts'],
  },
})

/** Regenerates src/generated when its sources change, in a new process so that no source stays cached. */
function generated(): Plugin {
  const sources =
    /\.messages\.[\w-]+\.json$|first-paint-icons\.ts$|\.(screens|figures)\.ts$|src\/features\.ts$|packages\/api\/src\//
  const generate = () => {
    execFileSync(process.execPath, ['generate.ts'], { cwd: web, stdio: 'inherit' })
  }
  return {
    name: 'clearwell-generated',
    config: generate,
    configureServer(server) {
      for (const part of ['api', 'ui']) server.watcher.add(join(web, `../../packages/${part}/src`))
      for (const event of ['add', 'change', 'unlink'] as const) {
        server.watcher.on(event, (file) => {
          if (sources.test(file)) generate()
        })
      }
    },
  }
}
