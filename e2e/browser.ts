import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The whole Chromium. An empty path selects Playwright's own browser. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const shell = join(dirname(CHROMIUM), 'chromium-headless-shell')

/** Debian's headless shell beside it, where installed: the same browser without windows takes a quarter less time. */
export const HEADLESS = basename(CHROMIUM) === 'chromium' && existsSync(shell) ? shell : CHROMIUM

/** The launch option that selects a browser. */
export function executable(path: string): { readonly executablePath?: string } {
  return path === '' ? {} : { executablePath: path }
}
