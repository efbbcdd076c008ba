import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '..')

export const HOW_TO_GET_CHROMIUM =
  'Install one (Debian: apt-get install chromium; elsewhere Google Chrome will do), or name one in CHROMIUM_PATH.'

/**
 * The path of a Chromium; fetches one where there is none, from Debian where this is root there, else Playwright's own.
 *
 * @returns The empty path for Playwright's own browser, `undefined` where there is none.
 */
export async function findOrFetchBrowser(): Promise<string | undefined> {
  const found = findBrowser()
  if (found !== undefined) return found
  console.log('There is no Chromium; trying to fetch one.')
  if (process.getuid?.() === 0) {
    await installFromDebian('chromium')
    const browser = findBrowser()
    if (browser) {
      // The journeys run faster in it, and in the whole browser where Debian has no such package.
      await installFromDebian('chromium-headless-shell')
      return browser
    }
  }
  const playwright = join(root, 'node_modules/.bin/playwright')
  const { exitCode } = await runCommand(playwright, ['install', 'chromium'], { cwd: join(root, 'e2e'), output: 'keep' })
  return exitCode === 0 ? '' : undefined
}

async function installFromDebian(name: string): Promise<void> {
  const install = ['install', '-y', '-qq', '--no-install-recommends', name]
  await runCommand('apt-get', install, { cwd: root, env: { DEBIAN_FRONTEND: 'noninteractive' }, output: 'keep' })
}

function findBrowser(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const macos = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  return [...onPath, ...macos].find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
