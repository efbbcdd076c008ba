/**
 * Counts the scripts that a page ran before its first paint, each once:
 *
 * - scripts inside the HTML, whether they block or not;
 * - scripts of the HTML that block its parser: with `src`, neither `async` nor `defer` nor a module;
 * - other scripts that ran before the first contentful paint of an observed load, modules included.
 */

/** The scripts of a page's HTML. */
export interface HtmlScripts {
  /** The text of each script inside the HTML. */
  readonly inline: readonly string[]
  /** Addresses of those that block the parser. */
  readonly blocking: readonly string[]
}

/** An event of Chromium's trace; `ts`, and `tdur`, the processor time of its thread, in µs. */
export interface TraceEvent {
  readonly name: string
  readonly ts: number
  readonly pid: number
  readonly tid?: number
  readonly tdur?: number
  readonly args?: {
    readonly frame?: string
    readonly data?: { readonly url?: string; readonly documentLoaderURL?: string }
  }
}

const NO_SCRIPT_TYPE = /^(application\/(ld\+)?json|importmap|speculationrules|text\/(plain|template|html))$/i

/** Reads the script tags of a page at `url`. */
export function scriptsOfHtml(html: string, url: string): HtmlScripts {
  const inline: string[] = []
  const blocking: string[] = []
  for (const [, attributes = '', text = ''] of html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>([\s\S]*?)<\/script\s*>/gi)) {
    const type = attribute(attributes, 'type') ?? ''
    const src = attribute(attributes, 'src')
    if (NO_SCRIPT_TYPE.test(type)) continue
    const waits = type === 'module' || ['async', 'defer'].some((name) => attribute(attributes, name) !== undefined)
    if (src === undefined) inline.push(text)
    else if (!waits) blocking.push(new URL(src, url).href)
  }
  return { inline, blocking }
}

/**
 * Addresses of the scripts that ran before the first contentful paint of the page at `url`. The trace names a classic
 * script when it runs, but a module only when it is compiled: one that was compiled before a module ran counts as having
 * run with it, so this rather counts one too many. Throws where the trace has no first paint.
 */
export function scriptsRunBeforePaint(trace: readonly TraceEvent[], url: string): string[] {
  const navigation = trace.findLast(
    // Home writes its route behind a `#` before it is painted.
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.split('#')[0] === url,
  )
  const paint = trace.find(
    ({ name, pid, ts, args }) =>
      name === 'firstContentfulPaint' &&
      pid === navigation?.pid &&
      ts >= navigation.ts &&
      args?.frame === navigation.args?.frame,
  )
  if (!navigation || !paint) throw new Error(`the trace has no first paint of ${url}`)
  const before = trace.filter(({ pid, ts }) => pid === navigation.pid && ts >= navigation.ts && ts < paint.ts)
  const lastModuleRunUs = Math.max(...before.filter(({ name }) => name === 'v8.evaluateModule').map(({ ts }) => ts))
  const run = before.filter(
    ({ name, ts }) => name === 'EvaluateScript' || (name === 'v8.compileModule' && ts <= lastModuleRunUs),
  )
  const urls = run.map(({ args }) => args?.data?.url ?? '')
  // A script inside the HTML runs under the address of the page; its text is counted from the HTML.
  return [...new Set(urls)].filter((each) => each.split('#')[0] !== url && /^https?:/.test(each))
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))|(?=[\\s/]|$))`, 'i').exec(
    attributes,
  )
  return match ? (match[1] ?? match[2] ?? match[3] ?? '') : undefined
}
