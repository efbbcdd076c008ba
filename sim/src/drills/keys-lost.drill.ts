import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { generatePrivateKey } from 'viem/accounts'
import { appointSigner, vaultOf } from './appoint-signer.ts'
import type { Drill } from './drill.ts'
import { openSite } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

/** Web Push's pair, as its two variables. */
function newVapidKeys() {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return {
    VAPID_PUBLIC_KEY: point.toString('base64url'),
    VAPID_PRIVATE_KEY: d,
    VAPID_SUBJECT: 'mailto:ops@example.org',
  }
}

/** A new key for each variable of a server that holds one, as docs/recipes/replace-a-key.md lists them. */
function newKeys() {
  return {
    SIGNER_KEY: generatePrivateKey(),
    SERVER_KEY: generatePrivateKey(),
    BOX_SEED_KEY: generatePrivateKey(),
    ...newVapidKeys(),
    ALARM_WEBHOOK_URL: 'http://127.0.0.1:9/',
    ALARM_WEBHOOK_KEY: randomBytes(32).toString('base64'),
  }
}

export const drill: Drill = {
  about: 'every key of the servers is lost, and both servers start again with new ones',
  isQuick: false,
  async run(ends) {
    const site = await openSite(ends)
    const before = newKeys()
    const { SIGNER_KEY: _, ...others } = before
    const servers = [await site.startServer('first', others), await site.startServer('second', others)]
    let urls = servers.map(({ url }) => url)
    const load = startSwapLoad({ urls: () => urls, tokens: site.tokens })
    await load.acknowledge(100, 30_000)
    const after = newKeys()
    await appointSigner(site.chain.rpcUrl, await vaultOf(urls[0] ?? ''), after.SIGNER_KEY)
    for (const server of servers) await server.kill()
    const lostMs = performance.now()
    urls = [(await site.startServer('first', after)).url, (await site.startServer('second', after)).url]
    await load.acknowledge(100, 60_000)
    const secondsToRecovery = load.longestGapSince(lostMs)
    const notes =
      'both servers stopped, so the start counts; sessions went on. Keys: signer, servers, box seeds, Web Push, webhook'
    return { ...(await site.conclude(load)), secondsToRecovery, notes }
  },
}
