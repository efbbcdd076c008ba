/** Reads the inviter's code: `pid` in the query of the page URL, before or after the `#`. */
export function inviteCodeOfPage({ search, hash }: { search: string; hash: string } = location): string | undefined {
  const behind = hash.includes('?') ? hash.slice(hash.indexOf('?')) : ''
  const pid = new URLSearchParams(search).get('pid') ?? new URLSearchParams(behind).get('pid')
  return pid || undefined
}
