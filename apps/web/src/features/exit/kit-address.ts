/** Returns the address of the kit, with what it fills in behind `#`: a browser sends that part to no server. All of it is public. */
export function kitAddress(
  kit: string,
  known: { readonly chain: number; readonly vault: string; readonly account: string } | undefined,
): string {
  if (!known) return kit
  const { chain, vault, account } = known
  return `${kit}#${new URLSearchParams({ chain: String(chain), vault, account })}`
}
