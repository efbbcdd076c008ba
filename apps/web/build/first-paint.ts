import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown, runnerImport } from 'vite'
import { readPayloads } from '../content/read-payloads.ts'
import { compress } from './compress.ts'
import { announceBuild, type Build, nameBuild } from './name-build.ts'
import { stylesOfPage } from './styles-of-page.ts'
import { trimStyles } from './trim-styles.ts'
import { bundleWorker, shellOf, WORKER } from './worker.ts'

type Prerendered = typeof import('../src/prerender.tsx')

/**
 * With its headers, about 1,400 bytes, a larger page does not fit into the first ten packets of a connection, and its paint
 * waits another round trip.
 */
const MAX_PAGE_BYTES = 13_000
/** Of all scripts that home loads untouched, each compressed alone as gzip, as `npm run bench -- web` weighs them. The build prints the sum. */
const MAX_SCRIPT_BYTES = 140_000
/** The part of home that loads without a touch. */
const PART_OF_HOME = '/src/features/proof/proof-card.tsx'
const LOCALES = ['zh-HK', 'en'] as const

/**
 * Renders home at build time in both languages, with its styles inline, so that the first paint needs no script. Small
 * inline scripts choose the colour mode and the language before the first paint, and load the app and the styles of all
 * screens after it. Also writes the files that identify the build, and a compressed copy of every file.
 */
export function firstPaint(web: string): Plugin {
  let outDir = ''
  return {
    name: 'clearwell-first-paint',
    configResolved(config) {
      outDir = config.build.outDir
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const names = ['before-paint', 'first-screen', 'start']
        const scripts = await Promise.all(names.map((name) => inlineScript(web, name)))
        const icons = await iconTemplate(web)
        return names
          .reduce((page, name, index) => page.replace(`<!--${name}-->`, () => scripts[index] ?? ''), html)
          .replace('<!--icons-->', () => icons)
      },
    },
    writeBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const chunks = chunksOf(bundle, '/src/main.tsx')
        const worker = await bundleWorker(web)
        // First without its list, which has the name of the build: the name depends on the code of the worker.
        await writeFile(join(outDir, WORKER), worker)
        const built = await writePages(web, outDir, chunks)
        await writeFile(join(outDir, WORKER), shellOf(built, bundle) + worker)
        const bytes = await weighScripts(outDir, new Set([...chunks, ...chunksOf(bundle, PART_OF_HOME)]))
        this.info(`home loads ${bytes} compressed bytes of script, of ${MAX_SCRIPT_BYTES} that it may load`)
        await compress(outDir)
        await announceBuild(outDir, built)
      },
    },
  }
}

/** Bundles a file of src/boot into one inline script. */
async function inlineScript(web: string, name: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    root: web,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(web, `src/boot/${name}.ts`), formats: ['iife'], name: 'boot' },
    },
  })) as Rolldown.RolldownOutput[]
  const [chunk] = built.flatMap(({ output }) => output).filter((each) => each.type === 'chunk')
  if (!chunk) throw new Error(`src/boot/${name}.ts became no script`)
  return `<script>${chunk.code.trim()}</script>`
}

/** The icons of the first paint, where src/icons/icon-bodies.ts finds them. */
async function iconTemplate(web: string): Promise<string> {
  const { module } = await runnerImport<typeof import('../src/generated/icons.ts')>(
    join(web, 'src/generated/icons.ts'),
    { configFile: false, logLevel: 'warn', root: web },
  )
  const icons = Object.entries(module.bundledIcons).map(([name, body]) => `<svg id="${name}">${body}</svg>`)
  return templateOf('icons', icons.join(''))
}

async function writePages(web: string, outDir: string, chunks: readonly string[]): Promise<Build> {
  const source = await readFile(join(outDir, 'index.html'), 'utf8')
  const { html, path, styles } = await moveStyles(source, outDir)
  const template = withJoinedScripts(withoutModules(html))
    .replace('<div id="app">', `<div id="app" data-styles="${path}" data-chunks="${chunks.join(' ')}">`)
    .replace('</body>', () => `${preloadOfFont(styles)}</body>`)
  const build = await nameBuild(outDir, template)
  const { renderFatalPage, renderHome, renderSkeleton, renderTitle } = await loadPrerender(web)
  const homes = { 'zh-HK': await renderHome('zh-HK'), en: await renderHome('en') }
  await mkdir(join(outDir, 'en'), { recursive: true })
  const fatalPages = LOCALES.map((locale) => templateOf(`fatal-${locale}`, renderFatalPage(locale)))
  for (const locale of LOCALES) {
    const twin = homes[locale === 'en' ? 'zh-HK' : 'en']
    const templates = [templateOf('twin', twin), templateOf('skeleton', renderSkeleton()), ...fatalPages]
    const page = template
      .replace('<html lang="zh-HK"', `<html lang="${locale}"`)
      .replace('/manifest.zh-HK.webmanifest', `/manifest.${locale}.webmanifest`)
      .replace('<title>Clearwell</title>', () => `<title>${renderTitle(locale)}</title>`)
      .replace('<!--build-->', () => `<meta name="build" content="${build.id}" />${description(locale)}`)
      .replace('<!--home-->', () => homes[locale])
      .replace('<!--templates-->', () => templates.join(''))
    const styled = page.replace('<!--styles-->', () => `<style>${stylesOfPage(page, styles)}</style>`)
    checkSize(styled)
    await writeFile(join(outDir, locale === 'en' ? 'en/index.html' : 'index.html'), styled)
  }
  return build
}

function checkSize(page: string): void {
  const bytes = brotliCompressSync(page).length
  if (bytes > MAX_PAGE_BYTES) throw new Error(`home has ${bytes} compressed bytes, more than ${MAX_PAGE_BYTES}`)
}

/** @throws Error if home's scripts have grown over their limit: a new feature must load when it is used. */
async function weighScripts(outDir: string, paths: ReadonlySet<string>): Promise<number> {
  const html = await readFile(join(outDir, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)
  for (const path of paths) scripts.push(await readFile(join(outDir, path), 'utf8'))
  const bytes = scripts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
  if (bytes > MAX_SCRIPT_BYTES)
    throw new Error(`home loads ${bytes} compressed bytes of script, more than ${MAX_SCRIPT_BYTES}`)
  return bytes
}

/** The page's description for search engines: the summary of home. */
function description(locale: (typeof LOCALES)[number]): string {
  const home = readPayloads().find((payload) => payload.route === '/' && payload.locale === locale)
  if (!home) throw new Error(`home has no content in ${locale}`)
  const text = home.summary.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<meta name="description" content="${text}" />`
}

/**
 * The paths of a module's chunk and all of its imports, each after its own imports. src/boot/start.ts runs those of
 * src/main.tsx in this order, each in a separate task, so that the page stays responsive.
 */
function chunksOf(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
  if (!first) throw new Error(`${module} is in no chunk`)
  const paths = new Set<string>()
  const visit = (chunk: Rolldown.OutputChunk, above: readonly string[]) => {
    if (above.includes(chunk.fileName)) return
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') visit(imported, [...above, chunk.fileName])
    }
    paths.add(`/${chunk.fileName}`)
  }
  visit(first, [])
  return [...paths]
}

function templateOf(id: string, html: string): string {
  return `<template id="${id}">${html}</template>`
}

/**
 * Preloads the font while the app loads. At the end of the body: in the head, a browser may hold back the first paint for it,
 * and the font would share the connection with the page.
 */
function preloadOfFont(styles: string): string {
  const [font, ...others] = new Set([...styles.matchAll(/url\(["']?([^"')]+\.woff2)["']?\)/g)].map(([, url]) => url))
  if (!font || others.length > 0) throw new Error(`the styles have ${font ? 'several fonts' : 'no font'}, not one`)
  return `<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin fetchpriority="low">`
}

/** Removes the module scripts, because src/boot/start.ts loads the app from `data-chunks`. */
function withoutModules(html: string): string {
  const page = html.replaceAll(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '')
  if (page === html) throw new Error('index.html loads no module')
  return page
}

/** Joins neighbouring inline scripts: each has a hash in the content security policy, which comes with the first packets. */
function withJoinedScripts(html: string): string {
  return html.replaceAll(/<\/script>\s*<script>/g, '')
}

/**
 * Writes the only style sheet under a name made of its content, without the fonts, which the page has: a font that is
 * declared twice is loaded twice. Leaves a mark where the page's own styles belong.
 */
async function moveStyles(html: string, outDir: string): Promise<{ html: string; path: string; styles: string }> {
  const links = [...html.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g)]
  const [link] = links
  if (links.length !== 1 || !link?.[1]) throw new Error(`index.html has ${links.length} style sheets, not one`)
  const styles = trimStyles(await readFile(join(outDir, link[1]), 'utf8')).trim()
  await rm(join(outDir, link[1]))
  const ofAllScreens = styles.replaceAll(/@font-face\{[^}]*\}/g, '')
  const hash = createHash('sha256').update(ofAllScreens).digest('base64url').slice(0, 7)
  const path = `/assets/${hash}.css`
  await writeFile(join(outDir, path), ofAllScreens)
  return { html: html.replace(link[0], '<!--styles-->'), path, styles }
}

/** Runs src/prerender.tsx in this process. */
async function loadPrerender(web: string): Promise<Prerendered> {
  const { module } = await runnerImport<Prerendered>(join(web, 'src/prerender.tsx'), {
    configFile: false,
    logLevel: 'warn',
    root: web,
    // The build's mode: otherwise the page would mix React's development and production versions.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
  })
  return module
}
