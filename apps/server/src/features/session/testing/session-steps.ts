import type { PayloadInput } from '@clearwell/api/routes'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { TestServer } from '../../../testing/server.ts'

/** Steps of a wallet that signs in, on the server of the feature. */
export function sessionSteps(server: () => TestServer) {
  const newWallet = () => privateKeyToAccount(generatePrivateKey())
  const nonceFor = async (address: string) => (await server().ok('getNonce', { address })).nonceStr
  const logIn = (address: string, signature: string, more: Partial<PayloadInput<'login'>> = {}) =>
    server().call('login', { address, signature, device_type: 'web', ...more })

  async function signIn(wallet: PrivateKeyAccount, pid?: string) {
    const signature = await wallet.signMessage({ message: await nonceFor(wallet.address) })
    return server().ok('login', { address: wallet.address, signature, pid, device_type: 'web' })
  }

  const userinfo = (token?: string) => server().call('userinfo', {}, token === undefined ? {} : { token })
  return { newWallet, nonceFor, logIn, signIn, userinfo }
}
