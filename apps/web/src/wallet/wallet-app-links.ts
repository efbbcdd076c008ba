/** A wallet app that can open this page in its own browser. */
export interface WalletAppLink {
  readonly name: string
  readonly href: string
}

/** Where the makers of well-known wallets offer them. */
export const WALLET_MAKERS = [
  { name: 'MetaMask', href: 'https://metamask.io/download' },
  { name: 'Rabby', href: 'https://rabby.io' },
  { name: 'Trust Wallet', href: 'https://trustwallet.com/download' },
] as const

/** Trust Wallet's number of BNB Smart Chain. */
const TRUST_SMART_CHAIN = 20000714

/**
 * Links that open a page of ours in the browser of a wallet app, in the formats that the wallets publish. The whole
 * address goes along: path, query with `pid`, and the route behind the `#`.
 *
 * @param site names us to the wallet.
 */
export function walletAppLinks({ href, site }: { href: string; site: string }): WalletAppLink[] {
  const encoded = encodeURIComponent(href)
  const params = encodeURIComponent(JSON.stringify({ url: href, chain: 'BSC', source: site }))
  return [
    // MetaMask takes the address as it is, without its protocol: it opens nothing where it is encoded.
    { name: 'MetaMask', href: `https://link.metamask.io/dapp/${href.replace(/^https?:\/\//, '')}` },
    {
      name: 'Trust Wallet',
      href: `https://link.trustwallet.com/open_url?coin_id=${TRUST_SMART_CHAIN}&url=${encoded}`,
    },
    { name: 'TokenPocket', href: `tpdapp://open?params=${params}` },
  ]
}

/** Returns whether the device is a phone or a tablet, where a wallet is an app and not an extension. */
export function isHandheld({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'> = navigator) {
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  return /Android|iPhone|iPad|iPod|Mobile/i.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}
