import type { TestServer, TestUser } from './server.ts'

/** A new user who is activated and has transferred amounts in. */
export async function newMember(
  server: TestServer,
  transfers: Partial<Record<'BNB' | 'USDT', string>>,
): Promise<TestUser> {
  const user = await server.newUser()
  await user.transferIn('USDT', '10')
  await user.activateByBalance()
  for (const [asset, amount] of Object.entries(transfers)) await user.transferIn(asset as 'BNB', amount)
  return user
}
