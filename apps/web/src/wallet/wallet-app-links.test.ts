import { expect, test } from 'vitest'
import { isHandheld, walletAppLinks } from './wallet-app-links.ts'

test('each wallet app opens the page with its path and route', () => {
  const links = walletAppLinks({
    href: 'https://clearwell.example/app/?pid=AB12&x=1#/en/swap/exchange?a=b',
    site: 'Clearwell',
  })
  // Golden: link.metamask.io and link.trustwallet.com as documented by MetaMask and Trust Wallet (November 2026),
  // tpdapp:// as TokenPocket's developers use it; encoded by hand.
  expect(links).toEqual([
    {
      name: 'MetaMask',
      href: 'https://link.metamask.io/dapp/clearwell.example/app/?pid=AB12&x=1#/en/swap/exchange?a=b',
    },
    {
      name: 'Trust Wallet',
      href: 'https://link.trustwallet.com/open_url?coin_id=20000714&url=https%3A%2F%2Fclearwell.example%2Fapp%2F%3Fpid%3DAB12%26x%3D1%23%2Fen%2Fswap%2Fexchange%3Fa%3Db',
    },
    {
      name: 'TokenPocket',
      href: 'tpdapp://open?params=%7B%22url%22%3A%22https%3A%2F%2Fclearwell.example%2Fapp%2F%3Fpid%3DAB12%26x%3D1%23%2Fen%2Fswap%2Fexchange%3Fa%3Db%22%2C%22chain%22%3A%22BSC%22%2C%22source%22%3A%22Clearwell%22%7D',
    },
  ])
})

test.each([
  ['https://clearwell.example/#/'],
  ['https://clearwell.example/?pid=AB12#/en/referral'],
  ['http://192.168.1.2:3000/?pid=%E6%98%8E#/wallet/buy'],
])('the link for %s decodes to the original address', (href) => {
  const [metamask, trust, tokenPocket] = walletAppLinks({ href, site: '明池' }).map((link) => link.href)
  expect(`${new URL(href).protocol}//${metamask?.slice('https://link.metamask.io/dapp/'.length)}`).toBe(href)
  expect(new URL(trust ?? '').searchParams.get('url')).toBe(href)
  const params = new URL(tokenPocket ?? '').searchParams.get('params')
  expect(JSON.parse(params ?? '')).toEqual({ url: href, chain: 'BSC', source: '明池' })
})

test.each([
  [
    'an Android phone',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36',
    5,
    true,
  ],
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15', 5, true],
  [
    'an iPad, which calls itself a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15',
    5,
    true,
  ],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 0, false],
  ['a PC with a touch screen', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 10, false],
] as const)('%s', (_name, userAgent, maxTouchPoints, handheld) => {
  expect(isHandheld({ userAgent, maxTouchPoints })).toBe(handheld)
})
