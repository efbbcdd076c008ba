/** Orders that their user confirmed on this page, and whose voucher was not signed yet. A reload forgets them. */
const waiting = new Set<string>()

/** Remembers that the wallet gets this order's voucher as soon as it is signed, without another press. */
export function payOnceSigned(orderId: string): void {
  waiting.add(orderId)
}

/** @returns whether the order's user confirmed it on this page. True once: the wallet is asked once for each confirmation. */
export function takeConfirmation(orderId: string): boolean {
  return waiting.delete(orderId)
}
