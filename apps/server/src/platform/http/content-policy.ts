import { createHash } from 'node:crypto'

/**
 * The Content-Security-Policy of every response, made once for each build of the web app.
 *
 * Nothing inline runs or styles but what the built pages hold, each by the hash of its exact text.
 *
 * @param pages the built pages as HTML.
 * @param connectOrigins origins that the page may talk to beside its own.
 */
export function contentPolicy(pages: readonly string[], connectOrigins: readonly string[]): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inlineHashes(pages, 'script')],
    'worker-src': ["'self'"],
    'style-src': ["'self'", ...inlineHashes(pages, 'style')],
    // Wallets that announce themselves (EIP-6963) bring their icon as a data: address.
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...connectOrigins],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';')
}

/** A comment, or a script or style with its attributes and its text: a script within a comment is none. */
const ELEMENT = /<!--[\s\S]*?-->|<(script|style)((?:\s+(?:[^>"']|"[^"]*"|'[^']*')*)?)>([\s\S]*?)<\/\1\s*>/gi

function inlineHashes(pages: readonly string[], element: 'script' | 'style'): string[] {
  const texts = pages.flatMap((page) =>
    [...page.matchAll(ELEMENT)]
      .filter(([, name, attributes = '']) => name?.toLowerCase() === element && !/\ssrc\s*=/i.test(attributes))
      .map(([, , , text = '']) => text),
  )
  const hashes = texts.map((text) => `'sha256-${createHash('sha256').update(asParsed(text)).digest('base64')}'`)
  return [...new Set(hashes)]
}

/** A browser reads each end of a line as one line feed before it hashes. */
function asParsed(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}
