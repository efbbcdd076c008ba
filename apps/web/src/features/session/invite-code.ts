import { replaceAddress } from '@clearwell/ui/browser/sheet-history.ts'
import { stored } from '@clearwell/ui/browser/stored.ts'

/**
 * The inviter's code: `pid` of the page's address. It is kept on this device until a sign-in, so that it survives screens,
 * a reload, and a later visit without it. Without storage the address alone has it.
 */
const keptCode = stored<string>({
  key: 'clearwell.invite',
  scope: 'device',
  format: 'text',
  schema: (value) => (CODE.test(String(value)) ? String(value) : undefined),
})

/** A longer or stranger one is no code of ours, and the server would reject the sign-in for it. */
const CODE = /^[0-9A-Za-z]{1,64}$/

/** Reads the code in an address: `pid` in its query, before or after the `#`. */
export function inviteCodeOf(href: string): string | undefined {
  const { searchParams, hash } = new URL(href)
  const behind = hash.includes('?') ? hash.slice(hash.indexOf('?')) : ''
  const pid = searchParams.get('pid') ?? new URLSearchParams(behind).get('pid')
  return pid !== null && CODE.test(pid) ? pid : undefined
}

/** The code for the next sign-in. */
export function inviteCode(): string | undefined {
  return inviteCodeOf(location.href) ?? inviteCodeOf(withPid(location.href, keptCode.get()))
}

/**
 * Keeps the code of the address that this visit began at. A code behind the `#` moves before it, because the next screen
 * replaces everything behind.
 */
export function keepInviteCode(href: string): void {
  const code = inviteCodeOf(href)
  if (code === undefined) return
  keptCode.set(code)
  if (!new URL(location.href).searchParams.has('pid')) replaceAddress(withPid(location.href, code))
}

/** Drops the code, once it was sent or if the user declines it. Home then shows no invitation. */
export function forgetInviteCode(): void {
  keptCode.set(undefined)
  delete document.documentElement.dataset.invited
  if (inviteCodeOf(location.href) !== undefined) replaceAddress(withPid(location.href, undefined))
}

/** An address of this app with the code, to open on another device or in the browser of a wallet. */
export function withInviteCode(href: string): string {
  return withPid(href, inviteCode())
}

function withPid(href: string, code: string | undefined): string {
  const url = new URL(href)
  const [path = '', query] = url.hash.split('?')
  const behind = new URLSearchParams(query)
  if (behind.has('pid')) {
    behind.delete('pid')
    url.hash = behind.size === 0 ? path : `${path}?${behind}`
  }
  if (code === undefined) url.searchParams.delete('pid')
  else url.searchParams.set('pid', code)
  return url.href
}
