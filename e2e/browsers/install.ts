import { existsSync, globSync } from 'node:fs'
import { runCommand } from '../../scripts/run-command.ts'

const PACKAGES = ['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'xauth'] as const

/** Where Debian puts the browsers. */
interface Browsers {
  readonly firefox: string
  readonly webKit: { readonly driver: string; readonly browser: string }
}

/** Finds the browsers, and installs them where that is possible. @throws Error that says how to get them. */
export async function findOrInstallBrowsers(): Promise<Browsers> {
  const found = findBrowsers()
  if (found) return found
  if (process.getuid?.() === 0) {
    console.log(`… installing ${PACKAGES.join(', ')}`)
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...words: string[]) => runCommand('apt-get', words, { cwd: '/', env, output: 'keep' })
    await apt('update', '-qq')
    await apt('install', '-y', '-qq', '--no-install-recommends', ...PACKAGES)
  }
  const installed = findBrowsers()
  if (installed) return installed
  throw new Error(`Firefox ESR or WebKitGTK is missing. Install them (Debian: apt-get install ${PACKAGES.join(' ')}).`)
}

function findBrowsers(): Browsers | undefined {
  const [firefox, driver] = ['/usr/bin/firefox-esr', '/usr/bin/WebKitWebDriver']
  const browser = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0]
  const isThere = [firefox, driver, '/usr/bin/xvfb-run'].every((path) => existsSync(path))
  return isThere && browser ? { firefox, webKit: { driver, browser } } : undefined
}
